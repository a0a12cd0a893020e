package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What all workers of an audit share. Safe for any thread. */
final class Stage implements AutoCloseable {

  /** What workers do. */
  enum Phase {
    /** Everybody, with all bad habits. */
    RUN,
    /** Nobody pushes, consumers behave. */
    DRAIN,
    /** It is over. */
    STOP
  }

  private final BenchPostgres postgres;
  private final String database;
  private final Ledger ledger;
  private final Map<String, ReadyBoard> boards = new ConcurrentHashMap<>();
  private final List<SqlClient> clients = new CopyOnWriteArrayList<>();
  private final long seed;
  private volatile Phase phase = Phase.RUN;

  Stage(BenchPostgres postgres, String database, Ledger ledger, long seed) {
    this.postgres = postgres;
    this.database = database;
    this.ledger = ledger;
    this.seed = seed;
  }

  Vertx vertx() {
    return postgres.vertx();
  }

  Ledger ledger() {
    return ledger;
  }

  ReadyBoard board(String group) {
    return boards.computeIfAbsent(group, name -> new ReadyBoard());
  }

  Iterable<ReadyBoard> boards() {
    return boards.values();
  }

  Phase phase() {
    return phase;
  }

  void enter(Phase next) {
    phase = next;
  }

  PgConnectOptions options() {
    return postgres.database(database).storeOptions();
  }

  Context newContext() {
    return Blocking.get(StoreConnection.newContext(vertx()));
  }

  /**
   * A store with a memory of its own, as a broker has one, on so many connections that come back by
   * themselves after a cut.
   */
  MessageStore newStore(Context context, int connections) {
    SqlClient client =
        PgBuilder.client()
            .connectingTo(() -> Future.succeededFuture(options()))
            .with(new PoolOptions().setMaxSize(connections))
            .using(vertx())
            .build();
    clients.add(client);
    return new MessageStore(context, client, StoreOptions.defaults(), seed * 31 + clients.size());
  }

  /** Completes after a while. */
  Future<Void> pause(Duration time) {
    Promise<Void> over = Promise.promise();
    vertx().setTimer(Math.max(1, time.toMillis()), fired -> over.complete());
    return over.future();
  }

  @Override
  public void close() {
    clients.forEach(client -> Blocking.get(client.close()));
  }
}
