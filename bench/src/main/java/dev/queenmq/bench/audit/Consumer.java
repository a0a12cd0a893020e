package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.AuditClient.Said;
import dev.queenmq.bench.audit.AuditClient.Sending;
import dev.queenmq.bench.audit.AuditClient.TransactionResult;
import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.CursorBook;
import dev.queenmq.bench.audit.ledger.HeldBatch;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.broker.AckResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A consumer that misbehaves by chance: mostly it waits and acknowledges what it got, but it also
 * dies at any moment, acks late, in parts and in any order, and gives bad acks.
 *
 * <p>One that copies answers only in transactions: what it acks it also copies to a second queue.
 * So in the end exactly the messages that are done for its group have a copy. Now and then a
 * transaction is spoiled and must do nothing.
 */
final class Consumer extends Actor {
  private static final Duration LATE_BY = Duration.ofMillis(300);

  private final int group;
  private final boolean copies;
  private final AuditClient client;
  private final ClientBehaviour behaviour;
  private final Random random;

  Consumer(AuditContext audit, FrontEnd front, int group, boolean copies, Random random) {
    super(audit, front, AuditContext.Phase.DRAIN);
    this.group = group;
    this.copies = copies;
    this.random = random;
    client = front.newClient(random);
    behaviour = settings().behaviour();
  }

  @Override
  Future<Void> step() {
    ledger().add(Count.POPS);
    return client
        .pop(group)
        .compose(
            batches -> {
              if (batches.isEmpty()) {
                ledger().add(Count.EMPTY_POPS);
                return Future.succeededFuture();
              }
              batches.forEach(batch -> ledger().add(Count.DELIVERED, batch.messages().size()));
              return answer(batches);
            });
  }

  private boolean chance(int perMille) {
    return random.nextInt(1000) < perMille;
  }

  private Future<Void> answer(List<HeldBatch> batches) {
    List<Said> done = all(batches);
    ClientBehaviour.Chances chances = behaviour.chances();
    int draw = audit().isRunning() ? random.nextInt(1000) : 1000;
    if ((draw -= chances.die()) < 0) {
      ledger().add(Count.DEATHS);
      return client.die(batches);
    } else if ((draw -= chances.late()) < 0) {
      ledger().add(Count.LATE);
      return pause(settings().lease().plus(LATE_BY)).compose(late -> say(done));
    } else if (copies) {
      // Said twice where it is spoiled: nothing of the first may have happened.
      return draw < chances.mixed()
          ? copy(done, true).compose(spoiled -> say(done))
          : inParts(done, 1 + random.nextInt(2));
    } else if ((draw -= chances.cut()) < 0) {
      ledger().add(Count.ACKS_CUT);
      return acks(
          shuffled(done), chance(300) ? Sending.HALF : Sending.cutAfter(1 + random.nextInt(8)));
    } else if ((draw -= chances.extend()) < 0) {
      return extend(batches).compose(extended -> say(done));
    } else if ((draw -= chances.loose()) < 0) {
      return sayLoosely(done);
    } else if ((draw -= chances.some()) < 0) {
      List<Said> some = shuffled(done);
      return inParts(some.subList(0, random.nextInt(some.size() + 1)), 2);
    } else if (draw < chances.mixed()) {
      return inParts(shuffled(mixed(done)), 1 + random.nextInt(3));
    } else {
      return inParts(shuffled(done), 1 + random.nextInt(2));
    }
  }

  private List<Said> all(List<HeldBatch> batches) {
    List<Said> all = new ArrayList<>();
    for (HeldBatch batch : batches) {
      for (AuditedMessage message : batch.messages()) {
        boolean fails = !copies && message.isPoison(behaviour.poisonEvery());
        all.add(new Said(batch, message, fails ? AuditClient.FAILED : AuditClient.COMPLETED));
      }
    }
    return all;
  }

  private List<Said> mixed(List<Said> all) {
    Function<Said, String> status =
        said ->
            switch (random.nextInt(8)) {
              case 0 -> AuditClient.FAILED;
              case 1 -> AuditClient.RETRY;
              case 2 -> AuditClient.DLQ;
              default -> said.status();
            };
    return all.stream()
        .map(said -> new Said(said.batch(), said.message(), status.apply(said)))
        .toList();
  }

  private List<Said> shuffled(List<Said> list) {
    List<Said> result = new ArrayList<>(list);
    if (random.nextBoolean()) {
      Collections.shuffle(result, random);
    }
    return result;
  }

  /** Several calls, one after the other. */
  private Future<Void> inParts(List<Said> said, int parts) {
    Future<Void> all = Future.succeededFuture();
    int each = Math.max(1, (said.size() + parts - 1) / parts);
    for (int from = 0; from < said.size(); from += each) {
      List<Said> part = said.subList(from, Math.min(from + each, said.size()));
      all = all.compose(before -> say(part));
    }
    return all;
  }

  private Future<Void> say(List<Said> all) {
    return copies ? copy(all, false) : acks(all, Sending.WHOLE);
  }

  /** In the middle of the lease, and then waits until it would have run out. */
  private Future<Void> extend(List<HeldBatch> batches) {
    Duration lease = settings().lease();
    Map<String, List<HeldBatch>> byLease =
        batches.stream().collect(Collectors.groupingBy(HeldBatch::leaseId));
    Future<Void> all = pause(lease.dividedBy(2));
    for (Map.Entry<String, List<HeldBatch>> each : byLease.entrySet()) {
      all = all.compose(before -> extend(each.getKey(), each.getValue()));
    }
    return all.compose(extended -> pause(lease.multipliedBy(7).dividedBy(10)));
  }

  private Future<Void> extend(String leaseId, List<HeldBatch> batches) {
    long sent = System.nanoTime();
    batches.forEach(HeldBatch::extending);
    return client
        .extend(leaseId)
        .map(
            happened -> {
              if (happened) {
                long now = System.nanoTime();
                batches.forEach(batch -> batch.extended(sent, now));
              }
              ledger().add(happened ? Count.EXTENSIONS : Count.LOST_LEASES);
              return null;
            });
  }

  /** Sends acks and holds the broker to its answers. */
  private Future<Void> acks(List<Said> all, Sending how) {
    if (all.isEmpty()) {
      return Future.succeededFuture();
    }
    long sent = System.nanoTime();
    List<Boolean> live = all.stream().map(said -> said.batch().releaseSent() > sent).toList();
    for (Said said : all) {
      if (said.isDone()) {
        said.batch().answering(said.message(), sent);
      } else {
        said.batch().releasing(sent);
      }
    }
    return client
        .ack(group, all, how)
        .onFailure(unknown -> notHeard(all, sent))
        .map(
            results -> {
              heard(all, results, live, sent);
              return null;
            });
  }

  private void notHeard(List<Said> all, long sent) {
    for (Said said : all) {
      if (!said.status().equals(AuditClient.RETRY)) {
        said.message().forGroup(group).perhapsDone(sent);
      }
      said.batch().releasing(sent);
    }
  }

  private void heard(List<Said> all, List<AckResult> results, List<Boolean> live, long sent) {
    if (results.size() != all.size()) {
      notHeard(all, sent);
      violation(Violation.UNEXPECTED, all.size() + " acks, answered " + results);
      return;
    }
    long now = System.nanoTime();
    boolean plain = all.stream().allMatch(said -> said.status().equals(AuditClient.COMPLETED));
    for (int i = 0; i < all.size(); i++) {
      Said said = all.get(i);
      AckResult result = results.get(i);
      if (result.success()) {
        applied(said, result.dead(), sent);
      } else if (result.isLeaseLost()) {
        ledger().add(Count.LOST_LEASES);
        said.message()
            .forGroup(group)
            .refuse("'%s' sent %d was refused at %d".formatted(said.status(), sent, now));
        if (plain
            && live.get(i)
            && said.batch().inTime(now)
            && !cursor(said).looseBetween(said.batch().sent(), now)) {
          violation(Violation.UNEXPECTED, "lost before its time: " + said);
        }
      } else {
        violation(Violation.UNEXPECTED, said + " answered " + result);
      }
    }
  }

  private void applied(Said said, boolean dead, long sent) {
    checkLate(said.batch(), sent);
    if (dead) {
      said.message().forGroup(group).promiseDeadLetter();
    }
    if (dead || said.isDone()) {
      cursor(said).done(said.message(), said.batch(), sent);
    }
    ledger().add(dead ? Count.DEAD : said.isDone() ? Count.ACKED : Count.FAILED);
  }

  private void checkLate(HeldBatch batch, long sent) {
    if (batch.isLate(sent)) {
      violation(Violation.LATE_ACK_ACCEPTED, "sent " + sent + ": " + batch);
    }
  }

  private CursorBook cursor(Said said) {
    return ledger().cursor(said.batch().partition(), group);
  }

  /** Says that these are done, without naming a lease. */
  private Future<Void> sayLoosely(List<Said> all) {
    long sent = System.nanoTime();
    Map<CursorBook, List<Said>> byCursor =
        all.stream().collect(Collectors.groupingBy(this::cursor));
    byCursor.keySet().forEach(cursor -> cursor.looseSent(sent));
    all.forEach(said -> said.batch().releasing(sent));
    return client
        .ack(group, all, Sending.LOOSE)
        .onFailure(unknown -> notHeard(all, sent))
        .map(
            results -> {
              Set<AuditedMessage> done = new HashSet<>();
              for (int i = 0; i < all.size(); i++) {
                if (results.get(i).success()) {
                  done.add(all.get(i).message());
                }
              }
              ledger().add(Count.ACKED, done.size());
              byCursor.forEach(
                  (cursor, own) ->
                      cursor.looselyDone(
                          own.stream().map(Said::message).filter(done::contains).toList(), sent));
              return null;
            });
  }

  private Future<Void> copy(List<Said> all, boolean spoil) {
    long sent = System.nanoTime();
    all.forEach(said -> said.batch().releasing(sent));
    return client
        .copy(group, all, spoil)
        .onFailure(unknown -> notHeard(all, sent))
        .map(
            result -> {
              copied(all, result, spoil, sent);
              return null;
            });
  }

  private void copied(List<Said> all, TransactionResult result, boolean spoiled, long sent) {
    if (result.kind() == TransactionResult.Kind.COMMITTED) {
      ledger().add(Count.TRANSACTIONS);
      if (spoiled) {
        violation(Violation.HALF_TRANSACTION, "an ack of nothing succeeded: " + all.get(0));
      }
      for (Said said : all) {
        checkLate(said.batch(), sent);
        cursor(said).done(said.message(), said.batch(), sent);
        ledger().add(Count.ACKED);
      }
      return;
    }
    ledger().add(Count.TRANSACTIONS_BACK);
    switch (result.kind()) {
      case DUPLICATE -> {
        // A copy exists, so an ack was applied; without one, half of a transaction happened.
        long now = System.nanoTime();
        if (all.stream().allMatch(said -> said.batch().inTime(now))
            && all.stream().noneMatch(said -> said.message().forGroup(group).isSettled())) {
          violation(Violation.HALF_TRANSACTION, result.text() + ": " + all);
        }
      }
      case LEASE_LOST -> ledger().add(Count.LOST_LEASES);
      default -> {
        if (!spoiled) {
          violation(Violation.UNEXPECTED, "transaction answered " + result);
        }
      }
    }
  }

  @Override
  Future<Void> close() {
    return client.close();
  }
}
