package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Removes what hangs on partitions that no longer exist: {@code orphans_v1} finds them, {@code
 * sweep_v1} removes, a small transaction at a time.
 */
final class SweepProcedure {
  private static final String SWEEP = "select queen.sweep_v1($1, $2, $3)";
  private static final String ORPHANS = "select * from queen.orphans_v1($1, $2, $3)";
  private static final int SEGMENTS = 2000;
  private static final int PARTITIONS = 1000;

  private final StoreClient client;
  private final short shard;

  SweepProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  /** Everything that is an orphan; answers how many rows went. */
  Future<Long> sweepAll() {
    return sweepFrom(null, 0);
  }

  /** What hangs on these partitions, as far as they do not exist. */
  Future<Long> sweep(UUID[] partitionIds) {
    return partitionIds.length == 0 ? Future.succeededFuture(0L) : sweep(partitionIds, 0);
  }

  private Future<Long> sweepFrom(@Nullable UUID after, long swept) {
    return client
        .call(ORPHANS, Tuple.of(shard).addUUID(after).addInteger(PARTITIONS))
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              UUID last = row.getUUID("o_last");
              return sweep(row.getArrayOfUUIDs("o_partition_ids"))
                  .compose(
                      more ->
                          last == null
                              ? Future.succeededFuture(swept + more)
                              : sweepFrom(last, swept + more));
            });
  }

  private Future<Long> sweep(UUID[] partitionIds, long swept) {
    return client
        .call(SWEEP, Tuple.of(shard).addArrayOfUUID(partitionIds).addInteger(SEGMENTS))
        .recover(Failures::translate)
        .compose(
            rows -> {
              int rowsGone = rows.iterator().next().getInteger(0);
              return rowsGone == 0
                  ? Future.succeededFuture(swept)
                  : sweep(partitionIds, swept + rowsGone);
            });
  }
}
