package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.model.Message;
import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** What the tables hold, in the words of the model. */
final class StoredState {
  private final ModelStore model;
  private final RealStore real;
  private final Translation names;

  StoredState(ModelStore model, RealStore real, Translation names) {
    this.model = model;
    this.real = real;
    this.names = names;
  }

  Map<String, List<Long>> partitions() {
    Map<String, List<Long>> partitions = new TreeMap<>();
    for (Row row :
        real.query(
            "select q.name, p.name, p.first_offset, p.next_offset from queen.queues q"
                + " join queen.partitions p on p.queue_id = q.id where q.name = any ($1)",
            names.realQueues(FinalChecks.QUEUES).toArray(String[]::new))) {
      partitions.put(
          names.modelQueue(row.getString(0)) + "/" + row.getString(1),
          List.of(row.getLong(2), row.getLong(3)));
    }
    return partitions;
  }

  Map<String, List<String>> messages() {
    Map<String, List<String>> messages = new TreeMap<>();
    for (Row row :
        real.query(
            "select * from queen.messages where shard = 0 and partition_id = any ($1)"
                + " order by message_offset",
            partitionIds())) {
      messages
          .computeIfAbsent(
              names.modelQueue(row.getString("queue")) + "/" + row.getString("partition"),
              name -> new ArrayList<>())
          .add(
              FinalChecks.content(
                  row.getLong("message_offset"),
                  names.model(row.getUUID("message_id")),
                  row.getString("transaction_id"),
                  payload(row)));
    }
    return messages;
  }

  /** Of a message that was deleted nothing is left to be opened. */
  private static String payload(Row row) {
    String stored = row.getString("payload");
    return row.getBoolean("encrypted") && row.getString("transaction_id") != null
        ? ModelBroker.CIPHER.open(
            stored,
            new MessageIdentity(
                row.getString("queue"), row.getString("partition"), row.getUUID("message_id")))
        : stored;
  }

  Map<String, FinalChecks.CursorState> cursors() {
    Map<String, FinalChecks.CursorState> cursors = new TreeMap<>();
    for (Row row :
        real.query(
            "select c.partition_id, c.consumer_group, c.committed, array(select generate_series("
                + "lower(r), upper(r) - 1) from unnest(c.acked) r) from queen.cursors c"
                + " where shard = 0 and partition_id = any ($1)",
            partitionIds())) {
      ModelPartition partition = model.state().find(names.model(row.getUUID(0)));
      if (partition != null) {
        // Retention moves cursors up when they are next used; that it will is what counts.
        ModelCursor cursor = new ModelCursor(row.getLong(2));
        cursor.acked.addAll(List.of(row.getArrayOfLongs(3)));
        cursor.settle(partition.first);
        cursors.put(
            partition.queue + "/" + partition.name + "/" + names.modelGroup(row.getString(1)),
            new FinalChecks.CursorState(cursor.committed, new TreeSet<>(cursor.acked)));
      }
    }
    return cursors;
  }

  Map<String, ModelDeadLetter> deadLetters() {
    Map<String, ModelDeadLetter> letters = new TreeMap<>();
    for (Row row :
        real.query(
            "select d.*, q.name as queue, p.name as partition from queen.dead_letters d"
                + " left join queen.partitions p on p.shard = 0 and p.id = d.partition_id"
                + " left join queen.queues q on q.id = p.queue_id"
                + " where d.shard = 0 and d.partition_id = any ($1)",
            partitionIds())) {
      ModelDeadLetter letter = letter(row);
      letters.put(letter.key().toString(), letter);
    }
    return letters;
  }

  private ModelDeadLetter letter(Row row) {
    ModelPartition partition = model.state().find(names.model(row.getUUID("partition_id")));
    String queue = partition == null ? "?" : partition.queue;
    String name = partition == null ? "?" : partition.name;
    return new ModelDeadLetter(
        new ModelDeadLetter.Key(
            queue,
            name,
            names.modelGroup(row.getString("consumer_group")),
            row.getLong("message_offset")),
        new Message(
            queue,
            name,
            names.model(row.getUUID("message_id")),
            row.getString("transaction_id"),
            payload(row),
            row.getUUID("trace_id"),
            row.getString("producer_sub"),
            false),
        row.get(OffsetDateTime.class, "created_at").toInstant(),
        row.getString("error_message"),
        row.getInteger("retry_count"),
        row.get(OffsetDateTime.class, "failed_at").toInstant());
  }

  /** Of all partitions that the model has. */
  UUID[] partitionIds() {
    return model.state().partitions().stream().map(p -> names.real(p.id)).toArray(UUID[]::new);
  }
}
