package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchDatabase;
import io.vertx.sqlclient.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Compares what the database holds in the end with what the store said along the way. */
final class StoredCheck {
  private static final String ALONE = "Delivered alone";

  private final BenchDatabase database;
  private final Ledger ledger;
  private final Violations violations;
  private final List<String> groups;
  private final Set<String> deadLetters = new HashSet<>();
  private final Set<String> deadAlone = new HashSet<>();
  private long stored;

  StoredCheck(BenchDatabase database, Ledger ledger, List<String> groups) {
    this.database = database;
    this.ledger = ledger;
    this.groups = groups;
    this.violations = ledger.violations();
  }

  /** Checks everything; answers how many messages are stored. */
  long run() {
    readDeadLetters();
    Set<String> copies = readCopies();
    for (int partition = 0; partition < ledger.partitionCount(); partition++) {
      check(partition, copies);
    }
    copies.forEach(
        copy -> violations.add(Violation.HALF_TRANSACTION, "a copy of nothing: " + copy));
    if (database.number("select deadlocks from pg_stat_database where datname = current_database()")
        > 0) {
      violations.add(Violation.DEADLOCK, "counted by PostgreSQL");
    }
    return stored;
  }

  /** How many messages are dead letters, over all groups. */
  long deadLetters() {
    return deadLetters.size();
  }

  private void readDeadLetters() {
    for (Row row :
        database.query(
            "select p.name, d.consumer_group, d.message_offset, d.error_message"
                + " from queen.dead_letters d"
                + " join queen.partitions p on p.shard = d.shard and p.id = d.partition_id")) {
      String key = key(row.getString(0), row.getString(1), row.getLong(2));
      deadLetters.add(key);
      String error = row.getString(3);
      if (error != null && error.startsWith(ALONE)) {
        deadAlone.add(key);
      }
    }
  }

  private Set<String> readCopies() {
    Set<String> copies = new HashSet<>();
    for (Row row :
        database.query(
            "select transaction_id from queen.messages where queue = '" + Names.OUT_QUEUE + "'")) {
      if (!copies.add(row.getString(0))) {
        violations.add(Violation.ADMITTED_DUPLICATE, "copy " + row.getString(0));
      }
    }
    return copies;
  }

  private void check(int partition, Set<String> copies) {
    String name = Names.partition(partition);
    Map<Integer, Integer> nextSequence = new HashMap<>();
    Set<String> seen = new HashSet<>();
    long expected = 0;
    for (Row row : messages(name)) {
      long offset = row.getLong(0);
      if (offset != expected) {
        violations.add(Violation.LOST_PUSH, name + ": a gap before offset " + offset);
        expected = offset;
      }
      expected++;
      if (!seen.add(row.getString(2))) {
        violations.add(Violation.ADMITTED_DUPLICATE, name + ": " + row.getString(2));
      }
      checkPushed(partition, offset, row.getUUID(1), row.getString(2), nextSequence);
      checkDelivered(name, offset);
      boolean copied = copies.remove(Names.outTransactionId(name, offset));
      if (copied == deadAlone.contains(key(name, Names.TRANSACTION_GROUP, offset))) {
        violations.add(
            Violation.HALF_TRANSACTION,
            name + ": offset " + offset + (copied ? " given up on, yet copied" : " has no copy"));
      }
    }
    stored += expected;
    checkComplete(partition, expected, nextSequence);
    groups.forEach(group -> ledger.cursor(name, group).checkOrder());
  }

  private List<Row> messages(String partition) {
    return database.query(
        "select m.message_offset, m.message_id, m.transaction_id from queen.messages m"
            + " where m.queue = '"
            + Names.QUEUE
            + "' and m.partition = '"
            + partition
            + "' order by 1");
  }

  private void checkPushed(
      int partition, long offset, UUID id, String transactionId, Map<Integer, Integer> next) {
    Names.PushedAs pushed = Names.parse(transactionId);
    PushLedger pushes = ledger.pushes(pushed.producer(), partition);
    Optional<UUID> known = pushes.id(pushed.sequence());
    if (pushed.partition() != partition
        || known.isEmpty()
        || !known.get().equals(id)
        || !pushes.agrees(pushed.sequence(), offset)) {
      violations.add(
          Violation.PHANTOM,
          "partition %d offset %d: %s is %s, acknowledged %s"
              .formatted(partition, offset, transactionId, id, known));
    }
    Integer due = next.put(pushed.producer(), pushed.sequence() + 1);
    if (pushed.sequence() != (due == null ? 0 : due)) {
      violations.add(
          Violation.PRODUCER_ORDER,
          "partition %d offset %d: %s, expected %s".formatted(partition, offset, pushed, due));
    }
  }

  private void checkDelivered(String name, long offset) {
    for (String group : groups) {
      if (!ledger.cursor(name, group).wasDelivered(offset)
          && !deadLetters.contains(key(name, group, offset))) {
        violations.add(Violation.LOST_DELIVERY, name + "/" + group + " at " + offset);
      }
    }
  }

  private void checkComplete(int partition, long count, Map<Integer, Integer> next) {
    long acknowledged = 0;
    for (int producer : ledger.producers()) {
      int pushed = ledger.pushes(producer, partition).next();
      acknowledged += pushed;
      if (next.getOrDefault(producer, 0) != pushed) {
        violations.add(
            Violation.LOST_PUSH,
            "partition %d, producer %d: acknowledged up to %d, stored up to %s"
                .formatted(partition, producer, pushed, next.get(producer)));
      }
    }
    if (acknowledged != count) {
      violations.add(
          Violation.LOST_PUSH,
          "partition %d: acknowledged %d, stored %d".formatted(partition, acknowledged, count));
    }
  }

  private static String key(String partition, String group, long offset) {
    return partition + "/" + group + "/" + offset;
  }
}
