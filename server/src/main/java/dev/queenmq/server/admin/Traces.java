package dev.queenmq.server.admin;

import dev.queenmq.server.admin.Trace.StoredPayload;
import dev.queenmq.server.admin.Trace.TracedMessage;
import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * What consumers note about messages. Safe for use by several threads. Failures are {@link
 * AdminException}s.
 */
public final class Traces {
  private static final String RECORD =
      "select queen.record_trace_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)";
  private static final String OF_MESSAGE =
      "select * from queen.message_traces_v1($1, $2, $3, $4, $5, $6)";
  private static final String OF_NAME =
      "select * from queen.named_traces_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final String NAMES = "select * from queen.trace_names_v1($1, $2, $3, $4)";

  /** The same distance from a cursor within which an ack looks for its message. */
  private static final long REACH = 10_000;

  /** Names are not counted further: there may be one for each message. */
  private static final int MOST_NAMES = 100_000;

  /** How many traces of a name are read, the oldest first: each takes several lookups. */
  private static final int MOST_OF_NAME = 20_000;

  private final AdminSql sql;
  private final short shard;
  private final String workerId;

  /**
   * Traces through this client.
   *
   * @param workerId name of this broker, as traces show it
   */
  public Traces(StoreClient client, short shard, String workerId) {
    this.sql = new AdminSql(client);
    this.shard = shard;
    this.workerId = workerId;
  }

  /** Records one; answers its id, or nothing if there is no such message. */
  public Future<Optional<UUID>> record(TraceDraft draft) {
    return sql.ask(
            RECORD,
            Tuple.of(shard)
                .addUUID(draft.partitionId())
                .addString(draft.transactionId())
                .addString(draft.group())
                .addString(draft.eventType())
                .addString(workerId)
                .addString(draft.data())
                .addArrayOfString(draft.names().toArray(String[]::new))
                .addLong(REACH))
        .map(rows -> Optional.ofNullable(rows.iterator().next().getUUID(0)));
  }

  /**
   * Those of a message, oldest first.
   *
   * @param bytes that the page may have
   */
  public Future<Page<Trace>> ofMessage(
      UUID partitionId, String transactionId, int limit, int offset, long bytes) {
    return sql.ask(
            OF_MESSAGE,
            Tuple.of(shard)
                .addUUID(partitionId)
                .addString(transactionId)
                .addInteger(limit)
                .addInteger(offset)
                .addLong(bytes))
        .map(rows -> page(rows, row -> trace(row, Optional.empty())));
  }

  /**
   * Those of a name, oldest first, with their messages.
   *
   * @param queue only those of messages in it
   * @param bytes that the page may have
   */
  public Future<Page<Trace>> ofName(
      String name, Optional<String> queue, int limit, int offset, long bytes) {
    return sql.ask(
            OF_NAME,
            Tuple.of(shard)
                .addString(name)
                .addInteger(limit)
                .addInteger(offset)
                .addString(queue.orElse(null))
                .addInteger(MOST_OF_NAME)
                .addLong(bytes))
        .map(
            rows -> {
              Page<Trace> page = page(rows, row -> trace(row, Optional.of(message(row))));
              boolean more = rows.size() > 0 && rows.iterator().next().getBoolean("truncated");
              return new Page<>(page.items(), page.total(), more, page.needed());
            });
  }

  /** The names, the latest first. */
  public Future<Page<TraceName>> names(int limit, int offset) {
    return sql.ask(
            NAMES, Tuple.of(shard).addInteger(limit).addInteger(offset).addInteger(MOST_NAMES))
        .map(
            rows ->
                page(
                    rows,
                    row ->
                        new TraceName(
                            row.getString("name"),
                            row.getLong("traces"),
                            row.getLong("messages"),
                            row.getOffsetDateTime("last_seen").toInstant())));
  }

  /** An empty page has a row all the same, with nothing but the total. */
  private static <T> Page<T> page(RowSet<Row> rows, Function<Row, T> item) {
    List<T> items = new ArrayList<>(rows.size());
    long total = 0;
    long needed = 0;
    for (Row row : rows) {
      total = row.getLong("total");
      int bytes = row.getColumnIndex("needed");
      needed = bytes < 0 || row.getValue(bytes) == null ? 0 : row.getLong(bytes);
      if (row.getValue(bytes < 0 ? 1 : bytes + 1) != null) {
        items.add(item.apply(row));
      }
    }
    return new Page<>(items, total, false, needed);
  }

  private static Trace trace(Row row, Optional<TracedMessage> message) {
    return new Trace(
        row.getUUID("id"),
        row.getString("event_type"),
        row.getString("data"),
        row.getString("consumer_group"),
        row.getString("worker_id"),
        row.getOffsetDateTime("created_at").toInstant(),
        List.of(row.getArrayOfStrings("names")),
        message);
  }

  private static TracedMessage message(Row row) {
    return new TracedMessage(
        row.getUUID("partition_id"),
        row.getString("transaction_id"),
        row.getString("queue"),
        row.getString("partition"),
        Optional.ofNullable(row.getString("payload"))
            .map(
                text ->
                    new StoredPayload(
                        text, PayloadForm.of(row.getShort("form")), row.getUUID("message_id"))));
  }
}
