package dev.queenmq.testkit.broker;

import dev.queenmq.server.QueenServer;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.testkit.internal.QueueFigures;
import dev.queenmq.testkit.internal.QueueFigures.GroupFigures;
import dev.queenmq.testkit.internal.RunningBroker;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A broker with a database of its own, which the tests may look into. */
final class DatabaseBroker implements RunningBroker {
  private final QueenServer server;
  private final Database database;
  private final Runnable drop;
  private final int port;
  private boolean closed;

  /**
   * Starts it.
   *
   * @param database a session beside those of the broker
   * @param drop removes the database
   */
  DatabaseBroker(Map<String, String> environment, Database database, Runnable drop) {
    this.database = database;
    this.drop = drop;
    // A program that forgets to close its broker ends all the same.
    server = QueenServer.onDaemonThreads(ServerConfig.read(environment, List.of()), line -> {});
    port = Calls.await(server.start());
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Instant now() {
    return instant(row("select queen_testkit.clock_timestamp()", Tuple.tuple()));
  }

  @Override
  public void advance(Duration by) {
    row("select queen_testkit.advance($1)", Tuple.of(by.toNanos() / 1000));
  }

  @Override
  public Set<String> queues() {
    Set<String> names = new TreeSet<>();
    for (Row row : database.call("select queue from queen_testkit.queues()", Tuple.tuple())) {
      names.add(row.getString(0));
    }
    return names;
  }

  @Override
  public boolean isInMaintenance() {
    return row("select queen_testkit.is_in_maintenance()", Tuple.tuple()).getBoolean(0);
  }

  @Override
  public void removeTracesAndStreams() {
    row("select queen_testkit.remove_traces_and_streams()", Tuple.tuple());
  }

  @Override
  public Optional<QueueFigures> figures(String queue) {
    if (!row("select queen_testkit.has_queue($1)", Tuple.of(queue)).getBoolean(0)) {
      return Optional.empty();
    }
    Map<String, Long> pending = new HashMap<>();
    for (Row row :
        database.call(
            "select partition, pending from queen_testkit.pending($1)", Tuple.of(queue))) {
      pending.put(row.getString(0), row.getLong(1));
    }
    Map<String, GroupFigures> groups = new HashMap<>();
    for (Row row :
        database.call(
            "select consumer_group, lag, leases, dead_letters from queen_testkit.groups($1)",
            Tuple.of(queue))) {
      groups.put(
          row.getString(0), new GroupFigures(row.getLong(1), row.getLong(2), row.getLong(3)));
    }
    return Optional.of(new QueueFigures(pending, groups));
  }

  private Row row(String sql, Tuple parameters) {
    return database.call(sql, parameters).iterator().next();
  }

  private static Instant instant(Row row) {
    return row.get(OffsetDateTime.class, 0).toInstant();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    // A test that was interrupted closes its broker too, and the waits below would end at once.
    boolean isInterrupted = Thread.interrupted();
    try {
      Calls.await(server.stop());
      database.close();
      drop.run();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
