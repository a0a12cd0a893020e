package dev.queenmq.server.admin;

import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.encryption.PayloadReader;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Messages and dead letters, in the words of the HTTP contract. Safe for use by several threads.
 * Failures are {@link AdminException}s.
 */
public final class MessageQueries {
  private static final String MESSAGES =
      "select * from queen.messages_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
  private static final String MESSAGE = "select * from queen.message_v1($1, $2, $3, $4)";
  private static final String DEAD_LETTERS =
      "select * from queen.dead_letters_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";

  private static final String LENGTH =
      "select p.next_offset - p.first_offset from queen.partitions p"
          + " where p.shard = $1 and p.id = $2";

  /** How many messages of a partition, the newest, are searched for a transaction id. */
  private static final long REACH = 100_000;

  private final AdminSql sql;
  private final PayloadReader payloads;
  private final short shard;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   */
  public MessageQueries(StoreClient client, short shard, PayloadReader payloads) {
    this.sql = new AdminSql(client);
    this.payloads = payloads;
    this.shard = shard;
  }

  /** A page of messages, the newest first, without their payloads. */
  public Future<JsonObject> messages(MessageFilter filter) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(filter.queue().orElse(null))
            .addString(filter.partition().orElse(null))
            .addString(filter.namespace().orElse(null))
            .addString(filter.task().orElse(null))
            .addString(filter.status().orElse(null))
            .addOffsetDateTime(moment(filter.from()))
            .addOffsetDateTime(moment(filter.to()))
            .addInteger(filter.limit())
            .addInteger(filter.offset());
    return sql.ask(MESSAGES, arguments)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new JsonObject()
                  .put("messages", row.getJsonArray("o_messages"))
                  .put("mode", mode(row.getBoolean("o_queue_mode"), row.getInteger("o_groups")))
                  .put("truncated", row.getBoolean("o_truncated"));
            });
  }

  /** One message; empty if there is none. */
  public Future<Optional<ShownMessage>> message(MessageKey key) {
    return sql.ask(MESSAGE, Tuple.of(shard, key.partitionId(), key.transactionId()).addLong(REACH))
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .findFirst()
                    .map(row -> message(key, row)));
  }

  /**
   * How many messages of a partition, the newest, are searched for one; empty if it has no more.
   */
  public Future<OptionalLong> searchedOf(UUID partitionId) {
    return sql.ask(LENGTH, Tuple.of(shard, partitionId))
        .map(
            rows -> {
              boolean more = false;
              for (Row row : rows) {
                more = row.getLong(0) > REACH;
              }
              return more ? OptionalLong.of(REACH) : OptionalLong.empty();
            });
  }

  /**
   * A page of dead letters, the latest failure first.
   *
   * @param bytes that it may have
   */
  public Future<DeadLetterPage> deadLetters(DeadLetterFilter filter, long bytes) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(filter.queue().orElse(null))
            .addString(filter.partition().orElse(null))
            .addString(filter.group().orElse(null))
            .addOffsetDateTime(moment(filter.from()))
            .addOffsetDateTime(moment(filter.until()))
            .addInteger(filter.limit())
            .addInteger(filter.offset())
            .addLong(bytes);
    return sql.ask(DEAD_LETTERS, arguments)
        .map(
            rows -> {
              List<ShownMessage> letters = new ArrayList<>();
              long total = 0;
              long needed = 0;
              for (Row row : rows) {
                total = row.getLong("total");
                needed = row.getValue("needed") == null ? 0 : row.getLong("needed");
                if (row.getUUID("message_id") != null) {
                  letters.add(deadLetter(row));
                }
              }
              return new DeadLetterPage(letters, total, needed);
            });
  }

  private ShownMessage deadLetter(Row row) {
    JsonObject fields =
        new JsonObject()
            .put("id", row.getUUID("message_id").toString())
            .put("transactionId", row.getString("transaction_id"))
            .put("partitionId", row.getUUID("partition_id").toString())
            .put("queue", row.getString("queue"))
            .put("partition", row.getString("partition"))
            .put("consumerGroup", row.getString("consumer_group"))
            .put("errorMessage", row.getString("error_message"))
            .put("retryCount", row.getInteger("retry_count"))
            .put("producerSub", row.getString("producer_sub"))
            .put("createdAt", Moments.text(row.getOffsetDateTime("created_at")))
            .put("failedAt", Moments.text(row.getOffsetDateTime("failed_at")));
    return new ShownMessage(fields, payload(row));
  }

  private ShownMessage message(MessageKey key, Row row) {
    String[] groups = row.getArrayOfStrings("groups");
    Boolean[] done = row.getArrayOfBooleans("groups_done");
    OffsetDateTime[] leased = row.getArrayOfOffsetDateTimes("groups_leased_until");
    JsonArray consumers = new JsonArray();
    int consumed = 0;
    for (int i = 0; i < groups.length; i++) {
      consumed += done[i] ? 1 : 0;
      consumers.add(
          new JsonObject()
              .put("name", groups[i])
              .put("consumed", done[i])
              .put("leaseExpiresAt", text(leased[i])));
    }
    String queue = row.getString("queue");
    String partition = row.getString("partition");
    JsonObject fields =
        new JsonObject()
            .put("id", row.getUUID("message_id").toString())
            .put("transactionId", key.transactionId())
            .put("partitionId", key.partitionId().toString())
            .put("queuePath", queue + "/" + partition)
            .put("queue", queue)
            .put("partition", partition)
            .put("namespace", row.getString("namespace"))
            .put("task", row.getString("task"))
            .put("status", row.getString("status"))
            .put("isEncrypted", row.getBoolean("encrypted"))
            .put("traceId", text(row.getUUID("trace_id")))
            .put("producerSub", row.getString("producer_sub"))
            .put("createdAt", Moments.text(row.getOffsetDateTime("created_at")))
            .put("errorMessage", row.getString("error_message"))
            .put("retryCount", row.getInteger("retry_count"))
            .put("leaseExpiresAt", text(row.getOffsetDateTime("leased_until")))
            .put("queueConfig", queueConfig(row))
            .put(
                "mode",
                mode(row.getBoolean("queue_mode"), groups.length).put("consumedByGroups", consumed))
            .put("consumerGroups", consumers);
    return new ShownMessage(fields, payload(row));
  }

  private static JsonObject queueConfig(Row row) {
    return new JsonObject()
        .put("leaseTime", row.getInteger("lease_time"))
        .put("retryLimit", row.getInteger("retry_limit"))
        .put("retryDelay", orZero(row.getInteger("retry_delay")))
        .put("ttl", orZero(row.getInteger("ttl")))
        .put("priority", row.getInteger("priority"));
  }

  /** What is not set is off. */
  private static int orZero(@Nullable Integer value) {
    return value == null ? 0 : value;
  }

  private static JsonObject mode(boolean queueMode, int groups) {
    String type;
    if (queueMode) {
      type = groups > 0 ? "hybrid" : "queue";
    } else {
      type = groups > 0 ? "bus" : "none";
    }
    return new JsonObject()
        .put("hasQueueMode", queueMode)
        .put("busGroupsCount", groups)
        .put("type", type);
  }

  private String payload(Row row) {
    return payloads
        .read(
            row.getString("payload"),
            PayloadForm.of(row.getShort("form")),
            new MessageIdentity(
                row.getString("queue"), row.getString("partition"), row.getUUID("message_id")))
        .json();
  }

  private static @Nullable OffsetDateTime moment(Optional<Instant> moment) {
    return moment.map(each -> each.atOffset(ZoneOffset.UTC)).orElse(null);
  }

  private static @Nullable String text(@Nullable OffsetDateTime moment) {
    return moment == null ? null : Moments.text(moment);
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }
}
