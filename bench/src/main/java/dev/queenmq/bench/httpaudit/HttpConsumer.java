package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.httpaudit.Verdicts.Said;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A consumer with habits: mostly it waits and acknowledges what it got, but it also cuts its
 * connection at every moment, comes late, answers by half, in any order, and gives bad verdicts.
 */
final class HttpConsumer extends Actor {
  private static final Duration LATE_BY = Duration.ofMillis(300);
  private static final int SHORTEST_WAIT = 200;

  private final int group;
  private final Verdicts verdicts;
  private final Random random;

  HttpConsumer(Scene scene, int group, Random random) {
    super(scene, Phase.DRAIN);
    this.group = group;
    this.random = random;
    verdicts = new Verdicts(scene, group);
  }

  @Override
  Future<Void> step() {
    ledger().add(Count.POPS);
    long sent = System.nanoTime();
    return pop()
        .onFailure(
            failure -> {
              if (failure instanceof CutException) {
                ledger().add(Count.WAITS_CUT);
              }
            })
        .map(reply -> received(Answers.pop(reply), sent))
        .compose(this::answer);
  }

  private Future<Reply> pop() {
    boolean wild = running();
    // Shorter than a lease: see CursorBook.
    int longest = Math.max(SHORTEST_WAIT + 1, (int) scene().settings().lease().toMillis() / 2);
    String query =
        "wait=true&batch=%d&timeout=%d"
            .formatted(
                1 + random.nextInt(20),
                wild ? random.nextInt(SHORTEST_WAIT, longest) : SHORTEST_WAIT);
    String path =
        wild && chance(15)
            ? scene()
                .names()
                .popFrom(random.nextInt(scene().settings().partitions()), Names.group(group), query)
            : scene()
                .names()
                .popAny(Names.group(group), query + "&partitions=" + (1 + random.nextInt(3)));
    return wild && chance(15)
        ? wire().getOrCut(path, Duration.ofMillis(1 + random.nextInt(150)))
        : wire().get(path);
  }

  private boolean running() {
    return scene().phase() == Phase.RUN;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private List<HeldBatch> received(List<PopMessage> messages, long sent) {
    long now = System.nanoTime();
    ledger().add(messages.isEmpty() ? Count.EMPTY_POPS : Count.DELIVERED, weight(messages));
    Map<Integer, List<HeldBatch.Held>> byPartition = new LinkedHashMap<>();
    for (PopMessage popped : messages) {
      ledger()
          .find(popped)
          .ifPresent(
              message ->
                  byPartition
                      .computeIfAbsent(message.partition(), key -> new ArrayList<>())
                      .add(new HeldBatch.Held(message, popped)));
    }
    List<HeldBatch> batches = new ArrayList<>();
    byPartition.forEach(
        (partition, held) -> {
          String lease = held.get(0).popped().leaseId();
          HeldBatch batch = new HeldBatch(lease, partition, group, held, sent, now);
          ledger().cursor(partition, group).delivered(batch);
          batches.add(batch);
        });
    return batches;
  }

  private static int weight(List<PopMessage> messages) {
    return messages.isEmpty() ? 1 : messages.size();
  }

  private Future<Void> answer(List<HeldBatch> batches) {
    if (batches.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Said> done = all(batches, Verdicts.COMPLETED);
    int habit = running() ? random.nextInt(100) : 0;
    if (habit < 62) {
      return inParts(shuffled(done), 1 + random.nextInt(2));
    } else if (habit < 70) {
      ledger().add(Count.DEATHS);
      batches.forEach(batch -> batch.releasing(System.nanoTime()));
      return wire().cut();
    } else if (habit < 76) {
      ledger().add(Count.ACKS_CUT);
      return sayAndCut(shuffled(done));
    } else if (habit < 79) {
      ledger().add(Count.LATE);
      return scene()
          .pause(scene().settings().lease().plus(LATE_BY))
          .compose(late -> verdicts.say(done, Verdicts.by(wire())));
    } else if (habit < 86) {
      List<Said> some = shuffled(done);
      return inParts(some.subList(0, random.nextInt(some.size() + 1)), 2);
    } else {
      return inParts(shuffled(mixed(done)), 1 + random.nextInt(3));
    }
  }

  private Future<Void> sayAndCut(List<Said> said) {
    if (chance(30)) {
      return verdicts.say(said, body -> wire().postHalf(BrokerClient.ACK_BATCH, body));
    }
    Duration patience = Duration.ofMillis(1 + random.nextInt(8));
    return verdicts.say(said, body -> wire().postOrCut(BrokerClient.ACK_BATCH, body, patience));
  }

  private Future<Void> inParts(List<Said> said, int parts) {
    Future<Void> all = Future.succeededFuture();
    int each = Math.max(1, (said.size() + parts - 1) / parts);
    for (int from = 0; from < said.size(); from += each) {
      List<Said> part = said.subList(from, Math.min(from + each, said.size()));
      all = all.compose(before -> verdicts.say(part, Verdicts.by(wire())));
    }
    return all;
  }

  private static List<Said> all(List<HeldBatch> batches, String status) {
    List<Said> all = new ArrayList<>();
    batches.forEach(
        batch -> batch.messages().forEach(held -> all.add(new Said(batch, held, status))));
    return all;
  }

  private List<Said> mixed(List<Said> all) {
    return all.stream()
        .map(
            said ->
                new Said(
                    said.batch(),
                    said.held(),
                    switch (random.nextInt(8)) {
                      case 0 -> Verdicts.FAILED;
                      case 1 -> Verdicts.RETRY;
                      case 2 -> Verdicts.DLQ;
                      default -> Verdicts.COMPLETED;
                    }))
        .toList();
  }

  private List<Said> shuffled(List<Said> list) {
    List<Said> result = new ArrayList<>(list);
    if (random.nextBoolean()) {
      Collections.shuffle(result, random);
    }
    return result;
  }
}
