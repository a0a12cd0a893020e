package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.testing.TestDatabase;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;

/** A store on a connection of its own, in virtual time. */
final class ModelBroker implements AutoCloseable {
  private final SqlClient client;
  private final MessageStore store;

  ModelBroker(TestDatabase database, StoreOptions options) {
    client =
        PgBuilder.client()
            .connectingTo(database.options())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            StoreClient.of(client),
            options,
            42,
            transaction -> {},
            new SweepTurns(0));
  }

  MessageStore store() {
    return store;
  }

  SqlClient client() {
    return client;
  }

  void itIs(Instant now) {
    VirtualTime.set(client, now);
  }

  @Override
  public void close() {
    await(client.close());
  }
}
