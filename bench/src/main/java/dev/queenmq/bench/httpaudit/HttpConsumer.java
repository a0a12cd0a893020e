package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.httpaudit.Verdicts.Said;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A consumer with habits: mostly it waits and acknowledges what it got, but it also cuts its
 * connection at every moment, comes late, answers by half, in any order, and gives bad acks.
 */
final class HttpConsumer extends Actor {
  static final Duration LATE_BY = Duration.ofMillis(300);
  private static final int SHORTEST_WAIT = 200;

  // Answers to an extension of a lease that is over.
  private static final int GONE = 404;
  private static final int EXPIRED = 409;

  private final int group;
  private final Deliveries deliveries;
  private final Verdicts verdicts;
  private final Manners manners;
  private final Random random;

  HttpConsumer(Scene scene, int group, Random random) {
    super(scene, Phase.DRAIN);
    this.group = group;
    this.random = random;
    deliveries = new Deliveries(scene, group);
    verdicts = new Verdicts(scene, group);
    manners = scene.settings().manners();
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
        .map(reply -> deliveries.received(Answers.pop(reply), sent))
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
        wild && chance(manners.habits().restless())
            ? scene()
                .names()
                .popFrom(random.nextInt(scene().settings().partitions()), Names.group(group), query)
            : scene()
                .names()
                .popAny(Names.group(group), query + "&partitions=" + (1 + random.nextInt(3)));
    return wild && chance(manners.habits().restless())
        ? wire().getOrCut(path, Duration.ofMillis(1 + random.nextInt(150)))
        : wire().get(path);
  }

  private boolean running() {
    return scene().phase() == Phase.RUN;
  }

  private boolean chance(int perMille) {
    return random.nextInt(1000) < perMille;
  }

  private Future<Void> answer(List<HeldBatch> batches) {
    if (batches.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Said> done = all(batches);
    Manners.Habits habits = manners.habits();
    int habit = running() ? random.nextInt(1000) : 1000;
    if ((habit -= habits.die()) < 0) {
      ledger().add(Count.DEATHS);
      batches.forEach(batch -> batch.releasing(System.nanoTime()));
      return wire().cut();
    } else if ((habit -= habits.cut()) < 0) {
      ledger().add(Count.ACKS_CUT);
      return sayAndCut(shuffled(done));
    } else if ((habit -= habits.late()) < 0) {
      ledger().add(Count.LATE);
      return scene()
          .pause(scene().settings().lease().plus(LATE_BY))
          .compose(late -> verdicts.say(done, Verdicts.by(wire())));
    } else if ((habit -= habits.extend()) < 0) {
      return extend(batches).compose(extended -> verdicts.say(done, Verdicts.by(wire())));
    } else if ((habit -= habits.some()) < 0) {
      List<Said> some = shuffled(done);
      return inParts(some.subList(0, random.nextInt(some.size() + 1)), 2);
    } else if (habit < habits.mixed()) {
      return inParts(shuffled(mixed(done)), 1 + random.nextInt(3));
    } else {
      return inParts(shuffled(done), 1 + random.nextInt(2));
    }
  }

  /** In the middle of the lease, and then waits until it would have run out. */
  private Future<Void> extend(List<HeldBatch> batches) {
    Duration lease = scene().settings().lease();
    Map<String, List<HeldBatch>> byLease =
        batches.stream().collect(Collectors.groupingBy(HeldBatch::leaseId));
    Future<Void> all = scene().pause(lease.dividedBy(2));
    for (Map.Entry<String, List<HeldBatch>> each : byLease.entrySet()) {
      all = all.compose(before -> extend(each.getKey(), each.getValue()));
    }
    return all.compose(extended -> scene().pause(lease.multipliedBy(7).dividedBy(10)));
  }

  private Future<Void> extend(String leaseId, List<HeldBatch> batches) {
    long sent = System.nanoTime();
    batches.forEach(HeldBatch::extending);
    return wire()
        .post(
            "/api/v1/lease/" + leaseId + "/extend",
            new JsonObject().put("seconds", scene().settings().leaseSeconds()).toBuffer())
        .map(
            reply -> {
              if (reply.isSuccess()) {
                long now = System.nanoTime();
                batches.forEach(batch -> batch.extended(sent, now));
                ledger().add(Count.EXTENSIONS);
              } else if (reply.status() == GONE || reply.status() == EXPIRED) {
                ledger().add(Count.LOST_LEASES);
              } else {
                reply.orThrow();
              }
              return (Void) null;
            });
  }

  private Future<Void> sayAndCut(List<Said> said) {
    if (chance(300)) {
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

  private List<Said> all(List<HeldBatch> batches) {
    List<Said> all = new ArrayList<>();
    batches.forEach(
        batch ->
            batch
                .messages()
                .forEach(held -> all.add(new Said(batch, held, status(held.message())))));
    return all;
  }

  private String status(AuditedMessage message) {
    return message.isPoison(manners.poisonEvery()) ? Verdicts.FAILED : Verdicts.COMPLETED;
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
                      default -> said.status();
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
