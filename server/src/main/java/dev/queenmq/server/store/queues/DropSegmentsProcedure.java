package dev.queenmq.server.store.queues;

import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/** Removes whole segments: {@code drop_segments_v1}. */
public final class DropSegmentsProcedure {
  private static final String SQL =
      "select d.o_messages[1] from queen.drop_segments_v1($1, $2, $3, $4, $5) d";

  private final StoreClient client;
  private final short shard;

  public DropSegmentsProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<Long> drop(UUID partitionId, Instant before, long below, int segments) {
    return client
        .call(
            SQL,
            Tuple.of(shard)
                .addArrayOfUUID(new UUID[] {partitionId})
                .addArrayOfOffsetDateTime(new OffsetDateTime[] {before.atOffset(ZoneOffset.UTC)})
                .addArrayOfLong(new Long[] {below})
                .addInteger(segments))
        .recover(Failures::translate)
        .map(rows -> rows.iterator().next().getLong(0));
  }
}
