package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.ReadyPartition;
import dev.queenmq.server.model.TailLook;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks for work as a broker does: often at the tail feed, and now and then at a queue as a whole,
 * group by group.
 */
final class Watcher extends Worker {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
  private static final int LOOKS_PER_RECONCILE = 20;
  private static final int LOOKS_PER_TRIM = 200;
  private static final Duration KEEP = Duration.ofSeconds(30);
  private static final int PAGE = 7;

  private final MessageStore store;
  private final List<String> groups;
  private final TailCheck check;
  private Optional<String> bookmark = Optional.empty();
  private long crashesSeen;
  private int looks;

  Watcher(Stage stage, Context context, MessageStore store, List<String> groups, TailCheck check) {
    super(stage, context, Phase.DRAIN);
    this.store = store;
    this.groups = groups;
    this.check = check;
  }

  @Override
  Future<Void> step() {
    looks++;
    return look()
        .compose(done -> looks % LOOKS_PER_RECONCILE == 1 ? reconcile() : nothing())
        .compose(done -> looks % LOOKS_PER_TRIM == 0 ? store.trim(KEEP).mapEmpty() : nothing())
        .compose(done -> stage().pause(BETWEEN_LOOKS));
  }

  private static Future<Void> nothing() {
    return Future.succeededFuture();
  }

  /**
   * The feed is lost in a crash: what it would have told is found by reconciling. A look that began
   * or ended within a crash may have been answered before the loss or after it. So neither it nor
   * its bookmark counts.
   */
  private Future<Void> look() {
    long crashes = crashes();
    boolean up = crashes == stage().ledger().tally().of(Tally.Count.COMEBACKS);
    if (!up || crashes != crashesSeen) {
      bookmark = Optional.empty();
    }
    crashesSeen = crashes;
    boolean first = bookmark.isEmpty();
    long began = System.nanoTime();
    stage().ledger().tally().add(Tally.Count.TAIL_LOOKS);
    return store
        .tail(bookmark)
        .map(
            look -> {
              told(look, first || crashes() != crashes, began);
              if (!up || crashes() != crashes) {
                bookmark = Optional.empty();
              }
              return null;
            });
  }

  private long crashes() {
    return stage().ledger().tally().of(Tally.Count.CRASHES);
  }

  private void told(TailLook look, boolean first, long began) {
    bookmark = Optional.of(look.bookmark());
    if (first) {
      check.startOver();
    } else {
      check.looked(look.partitionIds(), began, System.nanoTime());
    }
    for (UUID partition : look.partitionIds()) {
      // The feed tells of all queues; what is not known yet to be of ours is found by reconciling.
      if (stage().ledger().isAudited(partition)) {
        stage().boards().forEach(board -> board.add(partition, 0));
      }
    }
  }

  private Future<Void> reconcile() {
    Future<Void> all = nothing();
    for (String group : groups) {
      all = all.compose(done -> page(group, Optional.empty()));
    }
    return all;
  }

  private Future<Void> page(String group, Optional<String> after) {
    stage().ledger().tally().add(Tally.Count.RECONCILE_PAGES);
    return store
        .reconcile(Names.QUEUE, group, after, PAGE)
        .compose(
            page -> {
              for (ReadyPartition ready : page.ready()) {
                stage()
                    .board(group)
                    .add(ready.partitionId(), ready.freeAt().map(Watcher::millisUntil).orElse(0L));
              }
              return page.next().isPresent() ? page(group, page.next()) : nothing();
            });
  }

  static long millisUntil(Instant moment) {
    return Duration.between(Instant.now(), moment).toMillis() + 1;
  }
}
