package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.polling.ReadyPartition;
import dev.queenmq.server.model.polling.ReconcilePage;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The full look at a queue for a group: {@code reconcile_v1}. */
public final class ReconcileProcedure {
  private static final String SQL = "select * from queen.reconcile_v1($1, $2, $3, $4, $5)";

  private final StoreClient client;
  private final short shard;

  public ReconcileProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<ReconcilePage> page(
      String queue, String group, Optional<String> after, int partitions) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(queue)
            .addString(group)
            .addString(after.orElse(null))
            .addInteger(partitions);
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .map(rows -> page(rows.iterator().next()));
  }

  private static ReconcilePage page(Row row) {
    UUID[] ids = row.getArrayOfUUIDs("o_partition_ids");
    Long[] backlogs = row.getArrayOfLongs("o_backlogs");
    OffsetDateTime[] since = row.getArrayOfOffsetDateTimes("o_waiting_since");
    OffsetDateTime[] freeAt = row.getArrayOfOffsetDateTimes("o_free_at");
    List<ReadyPartition> ready = new ArrayList<>(ids.length);
    for (int i = 0; i < ids.length; i++) {
      ready.add(
          new ReadyPartition(
              ids[i],
              backlogs[i],
              Optional.ofNullable(since[i]).map(OffsetDateTime::toInstant),
              Optional.ofNullable(freeAt[i]).map(OffsetDateTime::toInstant)));
    }
    return new ReconcilePage(ready, Optional.ofNullable(row.getString("o_last")));
  }
}
