package dev.queenmq.bench.store;

import dev.queenmq.server.model.Message;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A good queue of one row per message: an ascending key that is the order, a unique index over
 * (partition, transaction id), room on the page for the update that leases a row.
 */
public record RowTable(String table) {

  /** Makes it. */
  public String create() {
    return """
    create table %s (
      id             bigint      generated always as identity primary key,
      message_id     uuid        not null,
      partition_id   uuid        not null,
      transaction_id text        not null,
      payload        text        not null,
      created_at     timestamptz not null default clock_timestamp(),
      leased_until   timestamptz,
      unique (partition_id, transaction_id)
    ) with (fillfactor = 80)\
    """
        .formatted(table);
  }

  /** Stores messages: arrays of message ids, partitions, transaction ids, payloads. */
  public String insert() {
    return """
    insert into %s (message_id, partition_id, transaction_id, payload)
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
    on conflict (partition_id, transaction_id) do nothing\
    """
        .formatted(table);
  }

  /**
   * Leases the oldest that are ready. An array of ids, not a join: statistics taken while the queue
   * was empty made the planner join by scanning the table, which took half a minute.
   */
  public String pop() {
    return """
    update %1$s r
    set leased_until = clock_timestamp() + interval '60 seconds'
    where r.id = any (array(
      select id from %1$s
      where leased_until is null or leased_until < clock_timestamp()
      order by id
      limit $1
      for update skip locked
    ))
    returning r.id, r.message_id, r.partition_id, r.transaction_id, r.payload, r.created_at\
    """
        .formatted(table);
  }

  /** Removes rows by an array of their ids. */
  public String ack() {
    return "delete from %s where id = any ($1)".formatted(table);
  }

  static Tuple arguments(Batch batch) {
    return Tuple.tuple()
        .addArrayOfUUID(batch.messages().stream().map(Message::id).toArray(UUID[]::new))
        .addArrayOfUUID(
            batch.messages().stream().map(m -> partitionId(m.partition())).toArray(UUID[]::new))
        .addArrayOfString(
            batch.messages().stream().map(Message::transactionId).toArray(String[]::new))
        .addArrayOfString(batch.messages().stream().map(Message::payload).toArray(String[]::new));
  }

  static UUID partitionId(String partition) {
    return UUID.nameUUIDFromBytes(partition.getBytes(StandardCharsets.UTF_8));
  }
}
