package dev.queenmq.bench.concurrency;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A store on a connection of its own, with short ways to say common things. */
record Session(StoreConnection connection, MessageIds ids) implements AutoCloseable {

  static Session open(BenchDatabase database) {
    return new Session(StoreConnection.open(database), new MessageIds(InstantSource.system()));
  }

  /** One whose commits do not wait for the disk: much faster, with the same locks. */
  static Session hasty(BenchDatabase database) {
    Session session = open(database);
    session.sql("set synchronous_commit = off");
    return session;
  }

  MessageStore store() {
    return connection.store();
  }

  void sql(String statement) {
    Blocking.get(connection.connection().query(statement).execute());
  }

  Message message(String queue, String partition, String transactionId) {
    return Message.of(queue, partition, ids.next(), transactionId, "\"" + transactionId + "\"");
  }

  Future<List<PushOutcome>> push(String queue, String partition, String... transactionIds) {
    return store()
        .push(Arrays.stream(transactionIds).map(id -> message(queue, partition, id)).toList());
  }

  static PopRequest named(String queue, String partition, String group, int batch) {
    return new PopRequest(
        new PopTarget.Named(queue, partition), group, batch, 1, false, new Subscription.All());
  }

  /** What one partition has. */
  Optional<PartitionBatch> pop(PopRequest request) {
    PopOutcome outcome = Blocking.get(store().pop(List.of(request))).get(0);
    return ((PopOutcome.Served) outcome).batches().stream().findFirst();
  }

  /** Pops and acks until there is nothing more; answers the transaction ids. */
  List<String> drain(String queue, String partition, String group) {
    List<String> drained = new ArrayList<>();
    Optional<PartitionBatch> batch = pop(named(queue, partition, group, 100));
    while (batch.isPresent()) {
      batch.get().messages().forEach(message -> drained.add(message.transactionId()));
      Blocking.get(ack(batch.get(), group));
      batch = pop(named(queue, partition, group, 100));
    }
    return drained;
  }

  Future<List<AckOutcome>> ack(PartitionBatch batch, String group) {
    return store().ack(batch.messages().stream().map(m -> done(batch, group, m)).toList());
  }

  static Ack done(PartitionBatch batch, String group, StoredMessage message) {
    return new Ack(
        batch.partitionId(),
        group,
        new MessageRef.ByTransactionId(message.transactionId()),
        batch.lease().map(Lease::id),
        AckStatus.COMPLETED,
        Optional.empty());
  }

  @Override
  public void close() {
    connection.close();
  }
}
