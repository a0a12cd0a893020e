package dev.queenmq.server.store.queues;

import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes what hangs on partitions that no longer exist: {@code orphans_v1} finds them, {@code
 * sweep_v1} removes, a small transaction at a time. The space is not urgent, so it rests after each
 * statement for several times as long as the statement took: traffic has PostgreSQL for itself most
 * of the time, and even more if PostgreSQL is slow.
 */
public final class SweepProcedure {
  private static final String SWEEP = "select queen.sweep_v1($1, $2, $3)";
  private static final String DELETE_MARKED = "select * from queen.delete_marked_v1($1, $2)";
  private static final String ORPHANS = "select * from queen.orphans_v1($1, $2, $3)";
  private static final int SEGMENTS = 2000;
  private static final int PARTITIONS = 1000;
  private static final long LEAST_REST_MILLIS = 5;

  private final StoreClient client;
  private final short shard;
  private final Context context;
  private final SweepTurns turns;
  private final LongSupplier nanoTime;

  public SweepProcedure(
      StoreClient client, short shard, Context context, SweepTurns turns, LongSupplier nanoTime) {
    this.client = client;
    this.shard = shard;
    this.context = context;
    this.turns = turns;
    this.nanoTime = nanoTime;
  }

  /** Everything that is an orphan; answers how many rows went. */
  public Future<Long> sweepAll() {
    return inTurn(() -> sweepFrom(null, 0));
  }

  /** What hangs on these partitions, as far as they do not exist. */
  Future<Long> sweep(UUID[] partitionIds) {
    return partitionIds.length == 0
        ? Future.succeededFuture(0L)
        : inTurn(() -> sweepSlices(partitionIds, 0, 0));
  }

  /** Queues that are marked as deleted, with their partitions and what hangs on them. */
  Future<Long> sweepMarked() {
    return inTurn(() -> deleteMarked(0));
  }

  private Future<Long> deleteMarked(long swept) {
    return call(DELETE_MARKED, Tuple.of(shard, PARTITIONS))
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              return row.getBoolean("o_more")
                  ? sweepSlices(row.getArrayOfUUIDs("o_partition_ids"), 0, swept)
                      .compose(this::deleteMarked)
                  : Future.succeededFuture(swept);
            });
  }

  /** The turn may come on any thread. */
  private Future<Long> inTurn(Supplier<Future<Long>> sweep) {
    return turns.take(
        () -> {
          Promise<Long> swept = Promise.promise();
          context.runOnContext(
              go -> Future.succeededFuture().compose(here -> sweep.get()).onComplete(swept));
          return swept.future();
        });
  }

  private Future<Long> sweepFrom(@Nullable UUID after, long swept) {
    return call(ORPHANS, Tuple.of(shard).addUUID(after).addInteger(PARTITIONS))
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              UUID last = row.getUUID("o_last");
              return sweepSlices(row.getArrayOfUUIDs("o_partition_ids"), 0, swept)
                  .compose(
                      more -> last == null ? Future.succeededFuture(more) : sweepFrom(last, more));
            });
  }

  /** Some partitions at a time: a statement looks at all that it is given. */
  private Future<Long> sweepSlices(UUID[] partitionIds, int from, long swept) {
    if (from >= partitionIds.length) {
      return Future.succeededFuture(swept);
    }
    int to = Math.min(from + PARTITIONS, partitionIds.length);
    return sweepSlice(Arrays.copyOfRange(partitionIds, from, to), swept)
        .compose(more -> sweepSlices(partitionIds, to, more));
  }

  private Future<Long> sweepSlice(UUID[] partitionIds, long swept) {
    return call(SWEEP, Tuple.of(shard).addArrayOfUUID(partitionIds).addInteger(SEGMENTS))
        .compose(
            rows -> {
              int rowsGone = rows.iterator().next().getInteger(0);
              return rowsGone == 0
                  ? Future.succeededFuture(swept)
                  : sweepSlice(partitionIds, swept + rowsGone);
            });
  }

  /** A statement, and a rest. */
  private Future<RowSet<Row>> call(String sql, Tuple arguments) {
    long began = nanoTime.getAsLong();
    return client
        .call(sql, arguments)
        .recover(Failures::translate)
        .compose(rows -> rest(nanoTime.getAsLong() - began).map(rows));
  }

  private Future<Void> rest(long workedNanos) {
    if (turns.rest() == 0) {
      return Future.succeededFuture();
    }
    Promise<Void> over = Promise.promise();
    long millis = TimeUnit.NANOSECONDS.toMillis(turns.rest() * workedNanos);
    context.owner().setTimer(Math.max(LEAST_REST_MILLIS, millis), end -> over.complete());
    return over.future();
  }
}
