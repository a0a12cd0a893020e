package dev.queenmq.server.broker;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A push whose queues have several owners: one part goes to each, and the answers come back in the
 * order of the request. If some parts fail, only their messages get an error. The push fails if all
 * parts fail.
 */
public final class DividedPush {
  private static final Logger LOG = LoggerFactory.getLogger(DividedPush.class);

  /** What one owner got, and what became of it. */
  private record Part(List<Integer> positions, Future<List<PushOutcome>> answer) {}

  private DividedPush() {}

  /**
   * Pushes, and answers as one.
   *
   * @param owner the number of a message's owner
   * @param push brings a part to an owner
   */
  public static Future<List<PushOutcome>> of(
      List<Message> messages,
      ToIntFunction<Message> owner,
      BiFunction<Integer, List<Message>, Future<List<PushOutcome>>> push) {
    TreeMap<Integer, List<Integer>> byOwner = new TreeMap<>();
    for (int i = 0; i < messages.size(); i++) {
      byOwner.computeIfAbsent(owner.applyAsInt(messages.get(i)), key -> new ArrayList<>()).add(i);
    }
    List<Part> parts = new ArrayList<>();
    byOwner.forEach(
        (number, positions) ->
            parts.add(
                new Part(
                    positions,
                    push.apply(number, positions.stream().map(messages::get).toList()))));
    return Future.join(parts.stream().map(Part::answer).toList())
        .transform(
            over ->
                parts.stream().allMatch(part -> part.answer().failed())
                    ? Future.failedFuture(failure(parts))
                    : Future.succeededFuture(outcomes(messages.size(), parts)));
  }

  /**
   * The failure that promises least: after some kinds nothing was stored, after others that is
   * unknown.
   */
  private static Throwable failure(List<Part> parts) {
    return parts.stream()
        .map(part -> part.answer().cause())
        .min(Comparator.comparing(DividedPush::certainty))
        .orElseThrow();
  }

  private static int certainty(Throwable failure) {
    if (!(failure instanceof BrokerException refusal)) {
      return 0;
    }
    return switch (refusal.kind()) {
      case INTERNAL -> 1;
      case UNAVAILABLE -> 2;
      case OVERLOADED, STOPPING -> 3;
    };
  }

  private static List<PushOutcome> outcomes(int count, List<Part> parts) {
    PushOutcome[] outcomes = new PushOutcome[count];
    for (Part part : parts) {
      PushOutcome failed =
          part.answer().failed()
              ? new PushOutcome.Unanswered(
                  problem(part.answer().cause()), isUnreachable(part.answer().cause()))
              : null;
      for (int i = 0; i < part.positions().size(); i++) {
        outcomes[part.positions().get(i)] = failed == null ? part.answer().result().get(i) : failed;
      }
    }
    return List.of(outcomes);
  }

  private static boolean isUnreachable(Throwable failure) {
    return failure instanceof BrokerException refusal
        && refusal.kind() == BrokerException.Kind.UNAVAILABLE;
  }

  private static Problem problem(Throwable failure) {
    if (failure instanceof BrokerException refusal
        && refusal.kind() != BrokerException.Kind.INTERNAL) {
      return new Problem(String.valueOf(refusal.getMessage()));
    }
    LOG.error("A part of a push failed", failure);
    return new Problem("Internal error");
  }
}
