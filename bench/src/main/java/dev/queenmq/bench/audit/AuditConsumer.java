package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Answering.Said;
import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A consumer with habits: mostly it acks what it got, but it also dies, comes late, answers by
 * half, in any order, gives bad acks, and renews.
 */
final class AuditConsumer extends Worker {
  private static final Duration IDLE = Duration.ofMillis(15);
  private static final Duration TOO_LATE = Duration.ofMillis(1300);

  private final MessageStore store;
  private final String group;
  private final Delivery delivery;
  private final Answering answering;
  private final Random random;

  AuditConsumer(Stage stage, Context context, MessageStore store, String group, Random random) {
    super(stage, context, Phase.DRAIN);
    this.store = store;
    this.group = group;
    this.random = random;
    delivery = new Delivery(stage, store, group, false, random);
    answering = new Answering(stage, store, group, random);
  }

  @Override
  Future<Void> step() {
    return delivery
        .next()
        .compose(leases -> leases.isEmpty() ? stage().pause(IDLE) : answer(leases));
  }

  private Future<Void> answer(List<HeldLease> leases) {
    if (stage().phase() != Phase.RUN) {
      return answering.say(all(leases, AckStatus.COMPLETED));
    }
    int habit = random.nextInt(100);
    if (habit < 60) {
      return inParts(shuffled(all(leases, AckStatus.COMPLETED)), 1 + random.nextInt(2));
    } else if (habit < 66) {
      stage().ledger().tally().add(Tally.Count.DEATHS);
      return Future.succeededFuture();
    } else if (habit < 70) {
      stage().ledger().tally().add(Tally.Count.DEATHS);
      return stage()
          .pause(TOO_LATE)
          .compose(late -> answering.say(all(leases, AckStatus.COMPLETED)));
    } else if (habit < 78) {
      List<Said> some = shuffled(all(leases, AckStatus.COMPLETED));
      return inParts(some.subList(0, random.nextInt(some.size() + 1)), 2);
    } else if (habit < 90) {
      return inParts(shuffled(mixed(leases)), 1 + random.nextInt(3));
    } else if (habit < 96) {
      return renew(leases).compose(renewed -> inParts(all(leases, AckStatus.COMPLETED), 2));
    } else {
      return answering.sayLoosely(all(leases, AckStatus.COMPLETED));
    }
  }

  private static List<Said> all(List<HeldLease> leases, AckStatus status) {
    List<Said> all = new ArrayList<>();
    leases.forEach(
        lease -> lease.batch().messages().forEach(m -> all.add(new Said(lease, m, status))));
    return all;
  }

  private List<Said> mixed(List<HeldLease> leases) {
    List<Said> mixed = new ArrayList<>();
    for (Said said : all(leases, AckStatus.COMPLETED)) {
      AckStatus status =
          switch (random.nextInt(8)) {
            case 0 -> AckStatus.FAILED;
            case 1 -> AckStatus.RETRY;
            case 2 -> AckStatus.DLQ;
            default -> AckStatus.COMPLETED;
          };
      mixed.add(new Said(said.lease(), said.message(), status));
    }
    return mixed;
  }

  private List<Said> shuffled(List<Said> list) {
    if (random.nextBoolean()) {
      Collections.shuffle(list, random);
    }
    return list;
  }

  /** Several calls, one after the other. */
  private Future<Void> inParts(List<Said> all, int parts) {
    int each = Math.max(1, (all.size() + parts - 1) / parts);
    Future<Void> done = Future.succeededFuture();
    for (int from = 0; from < all.size(); from += each) {
      List<Said> part = all.subList(from, Math.min(from + each, all.size()));
      Supplier<Future<Void>> call = () -> answering.say(part);
      done = done.compose(before -> call.get());
    }
    return done;
  }

  private Future<Void> renew(List<HeldLease> leases) {
    List<UUID> ids = leases.stream().map(HeldLease::id).distinct().toList();
    return store
        .renew(ids.stream().map(id -> new Renewal(id, Duration.ofSeconds(2))).toList())
        .map(
            outcomes -> {
              for (int i = 0; i < ids.size(); i++) {
                if (outcomes.get(i) instanceof RenewOutcome.Renewed renewed) {
                  stage().ledger().tally().add(Tally.Count.RENEWALS);
                  renewed(leases, ids.get(i), renewed);
                }
              }
              return null;
            });
  }

  private void renewed(List<HeldLease> leases, UUID id, RenewOutcome.Renewed renewed) {
    for (HeldLease lease : leases) {
      if (lease.id().equals(id)) {
        lease.renewed(renewed.expiresAt());
        stage().ledger().cursor(lease.batch().partition(), group).renewed(lease);
      }
    }
  }
}
