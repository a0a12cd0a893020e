package dev.queenmq.bench;

import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.InstantSource;

/**
 * A store on one connection to PostgreSQL, both on one event loop.
 *
 * @param connection the same connection, for statements of the caller's own
 */
public record StoreConnection(Context context, PgConnection connection, MessageStore store)
    implements AutoCloseable {

  /** Connects. */
  public static Future<StoreConnection> open(
      Vertx vertx, PgConnectOptions options, StoreOptions limits, long hashSeed) {
    return newContext(vertx)
        .compose(
            context ->
                connect(vertx, context, options)
                    .map(
                        connection ->
                            new StoreConnection(
                                context,
                                connection,
                                new MessageStore(
                                    context,
                                    connection,
                                    limits,
                                    hashSeed,
                                    InstantSource.system(),
                                    System::nanoTime))));
  }

  /** Connects with the usual limits, and waits. */
  public static StoreConnection open(BenchDatabase database) {
    return Blocking.get(
        open(database.vertx(), database.storeOptions(), StoreOptions.defaults(), 0x51_7e_a5_11L));
  }

  /** A connection that lives on this context. */
  public static Future<PgConnection> connect(
      Vertx vertx, Context context, PgConnectOptions options) {
    Promise<PgConnection> connected = Promise.promise();
    context.runOnContext(
        go ->
            PgConnection.connect(vertx, options)
                // A caller that uses it when it breaks gets an error; the driver would log the
                // others.
                .map(connection -> connection.exceptionHandler(failure -> {}))
                .onComplete(connected));
    return connected.future();
  }

  /** A context of its own, on the next event loop in turn. */
  public static Future<Context> newContext(Vertx vertx) {
    Promise<Context> made = Promise.promise();
    return vertx
        .deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                made.complete(context);
                return Future.succeededFuture();
              }
            })
        .compose(deployed -> made.future());
  }

  @Override
  public void close() {
    Blocking.get(connection.close());
  }
}
