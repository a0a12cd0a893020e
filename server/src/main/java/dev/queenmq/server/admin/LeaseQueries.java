package dev.queenmq.server.admin;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which lease, as every broker on the database sees it. Safe for use by several threads.
 * Failures are {@link AdminException}s.
 */
public final class LeaseQueries {
  private static final String LEASES = "select * from queen.leases_v1($1, $2, $3, $4, $5)";

  private final AdminSql sql;
  private final short shard;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   */
  public LeaseQueries(StoreClient client, short shard) {
    this.sql = new AdminSql(client);
    this.shard = shard;
  }

  /**
   * A page of the leases that live, by queue, partition and group; one element for each partition
   * that a lease holds. An empty text stands for any.
   */
  public Future<JsonObject> leases(String queue, String group, int limit, int offset) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(queue.isEmpty() ? null : queue)
            .addString(group.isEmpty() ? null : group)
            .addInteger(limit)
            .addInteger(offset);
    return sql.ask(LEASES, arguments)
        .map(
            rows -> {
              JsonArray leases = new JsonArray();
              rows.forEach(row -> leases.add(lease(row)));
              return new JsonObject()
                  .put("leases", leases)
                  .put("pagination", new JsonObject().put("limit", limit).put("offset", offset));
            });
  }

  private static JsonObject lease(Row row) {
    JsonObject holder =
        Optional.ofNullable(row.getString("holder"))
            .map(JsonObject::new)
            .orElseGet(JsonObject::new);
    return new JsonObject()
        .put("leaseId", row.getUUID("lease_id").toString())
        .put("queue", row.getString("queue"))
        .put("partition", row.getString("partition"))
        .put("partitionId", row.getUUID("partition_id").toString())
        .put("consumerGroup", row.getString("consumer_group"))
        .put("messages", row.getLong("messages"))
        .put("done", row.getLong("done"))
        .put("since", text(row.getOffsetDateTime("leased_at")))
        .put("until", text(row.getOffsetDateTime("expires_at")))
        .put("address", holder.getString("address"))
        .put("subject", holder.getString("subject"))
        .put("broker", holder.getString("broker"));
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return moment == null ? null : Moments.text(moment);
  }
}
