package dev.queenmq.server.store.modeltest;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.PlainCalls;
import dev.queenmq.server.store.PushCounter;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** A store on a connection of its own, in virtual time. */
final class ModelBroker implements AutoCloseable {
  /** Sealed or not, the model sees the same messages. */
  static final PayloadCipher CIPHER =
      new PayloadCipher(Optional.of(EncryptionKey.ofHex("7".repeat(64))), Optional.empty());

  private final SqlClient client;
  private final PushCounter pushes;
  private final MessageStore store;

  ModelBroker(
      TestDatabase database,
      StoreOptions options,
      LeaseMemory leases,
      PushCounter.Counts counts,
      PlainCalls acks) {
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    pushes = new PushCounter(acks.on(StoreClient.of(client)), counts);
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            pushes,
            options,
            42,
            transaction -> {},
            new SweepTurns(0),
            new Encryption(CIPHER, false),
            AnswerMemory.unlimited(),
            leases,
            InstantSource.system(),
            System::nanoTime);
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
