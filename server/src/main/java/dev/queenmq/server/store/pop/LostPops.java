package dev.queenmq.server.store.pop;

import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pops with autoAck whose reply was lost. What they took counts as done, but was not delivered: it
 * is taken back ({@code undo_auto_pop_v1}), before this broker asks for messages again, and in any
 * case as soon as PostgreSQL answers. Owned by the store's event loop.
 */
public final class LostPops {
  private static final Logger LOG = LoggerFactory.getLogger(LostPops.class);
  private static final String SQL = "select queen.undo_auto_pop_v1($1, $2)";
  private static final long AGAIN_MILLIS = 1_000;

  /** PostgreSQL knows no longer what a pop took. */
  private static final Duration KNOWN = Duration.ofMinutes(10);

  /** Beyond, the oldest are given up. */
  private static final int MOST = 10_000;

  private record Lost(UUID popId, long sinceNanos) {}

  private final Context context;
  private final StoreClient client;
  private final short shard;
  private final Deque<Lost> lost = new ArrayDeque<>();
  private boolean waiting;

  public LostPops(Context context, StoreClient client, short shard) {
    this.context = context;
    this.client = client;
    this.shard = shard;
  }

  /** A pop got no reply. */
  void add(UUID popId) {
    if (lost.size() >= MOST) {
      lost.removeFirst();
    }
    lost.addLast(new Lost(popId, System.nanoTime()));
    later();
  }

  /** Takes back what lost pops took. */
  public Future<Void> recover() {
    Future<Void> done = Future.succeededFuture();
    for (Lost each : List.copyOf(lost)) {
      done = done.compose(before -> recover(each));
    }
    return done;
  }

  private Future<Void> recover(Lost pop) {
    if (System.nanoTime() - pop.sinceNanos > KNOWN.toNanos()) {
      lost.remove(pop);
      return Future.succeededFuture();
    }
    return client
        .call(SQL, Tuple.of(shard, pop.popId))
        .recover(Failures::<RowSet<Row>>translate)
        .onSuccess(done -> lost.remove(pop))
        .mapEmpty();
  }

  /** Also without further polls at this broker: others may have consumers. */
  private void later() {
    if (!waiting) {
      waiting = true;
      context
          .owner()
          .setTimer(AGAIN_MILLIS, over -> context.runOnContext(go -> recoverInBackground()));
    }
  }

  private void recoverInBackground() {
    recover()
        .onComplete(
            done -> {
              waiting = false;
              if (done.failed()) {
                LOG.debug("lost pops cannot be taken back yet", done.cause());
              }
              if (!lost.isEmpty()) {
                later();
              }
            });
  }

  public boolean isEmpty() {
    return lost.isEmpty();
  }
}
