package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchDatabase;
import io.vertx.sqlclient.Row;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster has used so far. PostgreSQL reports its counts up to a second late.
 *
 * @param transactions of the database; every statement of a broker is one
 * @param appends transactions that appended messages: each leaves one row for the tail feed
 * @param calls of the procedures, by name
 * @param packets that brokers have sent, as they or a proxy between them count
 * @param shared what the brokers count themselves, summed up
 */
record Usage(
    long transactions, long appends, Map<String, Long> calls, long packets, SharedState shared) {
  static final String PACKETS = "transport.messages_sent";

  /** Asks; blocks. */
  static Usage of(Cluster cluster) {
    BenchDatabase database = cluster.database();
    Map<String, Long> calls = new TreeMap<>();
    for (Row row :
        database.query(
            "select funcname::text, sum(calls)::bigint from pg_stat_user_functions group by 1")) {
      calls.put(row.getString(0), row.getLong(1));
    }
    SharedState shared =
        cluster.urls().stream()
            .map(SharedState::of)
            .reduce(new SharedState(Map.of()), SharedState::plus);
    return new Usage(
        database.number(
            "select xact_commit + xact_rollback from pg_stat_database"
                + " where datname = current_database()"),
        database.number(
            "select n_tup_ins from pg_stat_user_tables where relid = 'queen.tail'::regclass"),
        calls,
        cluster
            .chaos()
            .map(between -> between.counts().getOrDefault(UdpFault.RECEIVED, 0L))
            .orElseGet(() -> shared.numbers().getOrDefault(PACKETS, 0.0).longValue()),
        shared);
  }

  /** Calls of one procedure. */
  long calls(String procedure) {
    return calls.getOrDefault(procedure, 0L);
  }

  /** What was used since then. */
  Usage since(Usage before) {
    Map<String, Long> more = new TreeMap<>();
    calls.forEach(
        (name, count) -> {
          long grown = count - before.calls.getOrDefault(name, 0L);
          if (grown > 0) {
            more.put(name, grown);
          }
        });
    return new Usage(
        transactions - before.transactions,
        appends - before.appends,
        more,
        packets - before.packets,
        shared.since(before.shared));
  }
}
