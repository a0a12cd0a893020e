package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.server.model.polling.ReadyPartition;
import dev.queenmq.server.model.polling.TailLook;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks for work as a broker does: often at the tail feed, and now and then at a queue as a whole,
 * group by group.
 */
final class Watcher extends Actor {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
  private static final int LOOKS_PER_RECONCILE = 20;
  private static final int LOOKS_PER_TRIM = 200;
  private static final Duration KEEP = Duration.ofSeconds(30);
  private static final int PAGE = 7;

  private final StoreFront front;
  private final MessageStore store;
  private Optional<String> bookmark = Optional.empty();
  private long crashesSeen;
  private int looks;

  Watcher(AuditContext audit, StoreFront front) {
    super(audit, front, AuditContext.Phase.DRAIN);
    this.front = front;
    store = front.newStore(1);
  }

  @Override
  Future<Void> step() {
    looks++;
    return look()
        .compose(done -> looks % LOOKS_PER_RECONCILE == 1 ? reconcile() : nothing())
        .compose(done -> looks % LOOKS_PER_TRIM == 0 ? store.trim(KEEP).mapEmpty() : nothing())
        .compose(done -> pause(BETWEEN_LOOKS));
  }

  private static Future<Void> nothing() {
    return Future.succeededFuture();
  }

  /**
   * The feed is lost in a crash: what it would have reported is found by reconciling. A look that
   * began or ended within a crash may have been answered before the loss or after it. So neither it
   * nor its bookmark counts.
   */
  private Future<Void> look() {
    long crashes = ledger().of(Count.CRASHES);
    boolean up = crashes == ledger().of(Count.POSTGRES_RECOVERIES);
    if (!up || crashes != crashesSeen) {
      bookmark = Optional.empty();
    }
    crashesSeen = crashes;
    boolean first = bookmark.isEmpty();
    long began = System.nanoTime();
    ledger().add(Count.TAIL_LOOKS);
    return store
        .tail(bookmark)
        .map(
            look -> {
              boolean crashed = ledger().of(Count.CRASHES) != crashes;
              report(look, first || crashed, began);
              if (!up || crashed) {
                bookmark = Optional.empty();
              }
              return null;
            });
  }

  private void report(TailLook look, boolean first, long began) {
    bookmark = Optional.of(look.bookmark());
    if (first) {
      front.tail().startOver();
    } else {
      front.tail().looked(look.partitionIds(), began, System.nanoTime());
    }
    for (UUID partition : look.partitionIds()) {
      // The feed reports all queues; what is not known yet to be of ours is found by reconciling.
      if (front.audited().contains(partition)) {
        front.allReadyPartitions().forEach(readyPartitions -> readyPartitions.add(partition, 0));
      }
    }
  }

  private Future<Void> reconcile() {
    Future<Void> all = nothing();
    for (String group : front.groups()) {
      all = all.compose(done -> page(group, Optional.empty()));
    }
    return all;
  }

  private Future<Void> page(String group, Optional<String> after) {
    ledger().add(Count.RECONCILE_PAGES);
    return store
        .reconcile(audit().names().queue(), group, after, PAGE)
        .compose(
            page -> {
              for (ReadyPartition ready : page.ready()) {
                long millis =
                    ready
                        .freeAt()
                        .map(free -> Duration.between(Instant.now(), free).toMillis() + 1)
                        .orElse(0L);
                front.readyPartitions(group).add(ready.partitionId(), millis);
              }
              return page.next().isPresent() ? page(group, page.next()) : nothing();
            });
  }
}
