package dev.queenmq.server.admin;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.upkeep.ResealStore;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The keys that payloads are encrypted with, and the progress of re-encryption. Safe for use by
 * several threads. Failures are {@link AdminException}s.
 */
public final class EncryptionQueries {
  private static final String STATUS =
      "select * from queen.reseal_status_v1($1, make_interval(secs => $2))";

  private final AdminSql sql;
  private final Encryption encryption;
  private final short shard;

  /**
   * Queries through this client.
   *
   * @param encryption of this broker
   */
  public EncryptionQueries(StoreClient client, Encryption encryption, short shard) {
    this.sql = new AdminSql(client);
    this.encryption = encryption;
    this.shard = shard;
  }

  /** All of it. */
  public Future<JsonObject> status() {
    return sql.ask(STATUS, Tuple.of(shard, (double) ResealStore.LIVE.toSeconds()))
        .map(rows -> status(rows.iterator().next()));
  }

  private JsonObject status(Row row) {
    @Nullable String keyId = encryption.cipher().sealingKeyId().orElse(null);
    JsonArray brokers = new JsonArray();
    String[] keys = row.getArrayOfStrings("o_keys");
    for (int i = 0; i < keys.length; i++) {
      brokers.add(
          new JsonObject()
              .put("keyId", keys[i])
              .put("brokers", row.getArrayOfLongs("o_brokers")[i]));
    }
    return new JsonObject()
        .put("keyId", keyId)
        .put("plaintextAllowed", encryption.plainAllowed())
        .put("keys", brokers)
        .put(
            "queues",
            new JsonObject()
                .put("encrypted", row.getLong("o_encrypted"))
                .put("unfinished", row.getLong("o_open")))
        .put("resealing", resealing(row, keyId));
  }

  private static JsonObject resealing(Row row, @Nullable String keyId) {
    if (row.getString("o_state") == null) {
      return new JsonObject().put("state", "idle").put("complete", false).put("progress", 0.0);
    }
    return new JsonObject()
        .put("state", row.getString("o_state"))
        .put("complete", keyId != null && keyId.equals(row.getString("o_complete_key")))
        .put("progress", row.getDouble("o_progress"))
        .put("keyId", row.getString("o_key_id"))
        .put("startedAt", text(row.getOffsetDateTime("o_started_at")))
        .put("endedAt", text(row.getOffsetDateTime("o_ended_at")))
        .put("messages", row.getLong("o_messages"))
        .put("deadLetters", row.getLong("o_dead_letters"))
        .put("leftOver", row.getLong("o_left_over"));
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return moment == null ? null : Moments.text(moment);
  }
}
