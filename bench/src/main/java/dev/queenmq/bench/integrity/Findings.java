package dev.queenmq.bench.integrity;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was sent and answered, and what of it was found again. Safe for use by several threads. */
final class Findings {
  private static final int SHOWN = 20;

  private final Map<String, Expected> round = new TreeMap<>();
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int different;
  private int lost;
  private int unanswered;
  private int wrong;
  private long bytes;

  /** What one push promises. */
  private record Expected(String hash, boolean accepted, boolean mayBeStored) {}

  synchronized void sent(Upload upload, String hash, Client.Answer answer) {
    boolean accepted =
        answer.status() == 201
            && (answer.body().contains("\"queued\"") || answer.body().contains("\"buffered\""));
    boolean none = answer.status() == Client.Answer.NONE;
    statuses.merge(answer.status(), 1, Integer::sum);
    round.put(upload.transactionId(), new Expected(hash, accepted, accepted || none));
    if (accepted) {
      bytes += upload.payloadBytes();
    } else if (none && upload.manner() != Upload.Manner.LEAVE) {
      unanswered++;
      problem("unanswered: " + upload + ": " + answer.body());
    } else if (answer.status() != Client.Answer.LEFT
        && answer.status() != 503
        && answer.status() != 413
        && !none) {
      wrong++;
      problem("wrong answer: " + upload + ": " + answer.status() + " " + answer.body());
    }
  }

  /** How many of this round must be found. */
  synchronized long accepted() {
    return round.values().stream().filter(Expected::accepted).count();
  }

  /** Compares what is stored with what was sent, and begins the next round. */
  synchronized void compare(Map<String, String> stored) {
    round.forEach(
        (id, expected) -> {
          String found = stored.get(id);
          if (found == null) {
            if (expected.accepted) {
              lost++;
              problem("lost: " + id);
            }
            return;
          }
          compared++;
          if (!found.equals(expected.hash) || !expected.mayBeStored) {
            different++;
            problem(
                (expected.mayBeStored ? "different: " : "stored though not whole or refused: ")
                    + id);
          }
        });
    round.clear();
  }

  private void problem(String text) {
    if (problems.size() < SHOWN) {
      problems.add(text);
    }
  }

  synchronized boolean isClean() {
    return different + lost + unanswered + wrong == 0 && compared > 0;
  }

  synchronized void print(PrintWriter out, int heap) {
    out.printf(
        "heap %d MB: %d payloads compared (%d MB), %d different, %d lost, %d unanswered, %d"
            + " wrong%n",
        heap, compared, bytes >> 20, different, lost, unanswered, wrong);
    out.printf("  answers by status (0: the client left, -1: none): %s%n", statuses);
    problems.forEach(problem -> out.println("  " + problem));
    out.flush();
  }
}
