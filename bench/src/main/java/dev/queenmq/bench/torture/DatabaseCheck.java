package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Violation;
import io.vertx.sqlclient.Row;
import java.util.List;

/** Asks PostgreSQL itself, past all brokers, whether what brokers answered is true. */
final class DatabaseCheck {
  private final BenchDatabase database;
  private final TortureReport report;

  DatabaseCheck(BenchDatabase database, TortureReport report) {
    this.database = database;
    this.report = report;
  }

  /** Checks the queue and the queue of its copies. */
  void run(List<String> queues, AuditReport audited) {
    String queue = queues.get(0);
    long stored =
        database.number(
            """
            select coalesce(sum(s.message_count), 0)::bigint
            from queen.queues q
            join queen.partitions p on p.queue_id = q.id
            join queen.segments s on s.shard = p.shard and s.partition_id = p.id
            where q.name = '%s'\
            """
                .formatted(queue));
    if (stored != audited.of(Count.STORED)) {
      report.add(
          Violation.LOST_PUSH,
          "%d messages in the database, but %d were read"
              .formatted(stored, audited.of(Count.STORED)));
    }
    each(
        Violation.LOST_PUSH,
        """
        select 'partition ' || p.name || ' of ' || q.name || ' has ' || coalesce(sum(s.message_count), 0) || ' messages, but '
          || p.next_offset || ' offsets were given out'
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        left join queen.segments s on s.shard = p.shard and s.partition_id = p.id
        where q.name in ('%s', '%s')
        group by q.name, p.id, p.name, p.next_offset
        having coalesce(sum(s.message_count), 0) <> p.next_offset\
        """
            .formatted(queue, queues.get(1)));
    each(
        Violation.NOT_DRAINED,
        """
        select 'group ' || c.consumer_group || ' is at ' || c.committed || ' of ' || p.next_offset
          || ' in partition ' || p.name
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        join queen.cursors c on c.shard = p.shard and c.partition_id = p.id
        where q.name = '%s' and c.committed < p.next_offset\
        """
            .formatted(queue));
    each(
        Violation.DEAD_WITHOUT_PAYLOAD,
        """
        select 'dead letter ' || d.transaction_id || ' of group ' || d.consumer_group || ' holds ' || d.payload
        from queen.queues q
        join queen.dead_letters d on d.queue_id = q.id
        where q.name = '%s' and d.payload not like '{"n":%%'\
        """
            .formatted(queue));
  }

  private void each(Violation violation, String sql) {
    for (Row row : database.query(sql)) {
      report.add(violation, row.getString(0));
    }
  }
}
