package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Calls of a store for one queue and one group, which remember the partitions. For one thread. */
final class StoreCalls {
  private static final String GROUP = "workers";

  private final StoreConnection connection;
  private final String queue;
  private final Map<String, UUID> partitions = new HashMap<>();

  StoreCalls(StoreConnection connection, String queue) {
    this.connection = connection;
    this.queue = queue;
  }

  MessageStore store() {
    return connection.store();
  }

  /** Stores messages, all of which must be new; waits. */
  void push(List<Message> messages) {
    List<PushOutcome> outcomes = Blocking.get(store().push(messages));
    Contender.queued(outcomes);
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
        partitions.put(messages.get(i).partition(), queued.partitionId());
      }
    }
  }

  /** The id of a partition that was pushed to. */
  Optional<UUID> partition(String name) {
    return Optional.ofNullable(partitions.get(name));
  }

  List<UUID> partitions() {
    return List.copyOf(partitions.values());
  }

  /** Puts the group behind all that is stored; a seek makes no group, but the first pop does. */
  void skipAll() {
    Blocking.get(pop(List.of(), 1));
    Blocking.get(store().seek(new Seek(queue, Optional.empty(), GROUP, new Seek.Position.End())));
  }

  Future<List<PartitionBatch>> pop(List<UUID> candidates, int batch) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(queue), candidates),
            GROUP,
            batch,
            Math.max(1, candidates.size()),
            false,
            new Subscription.All());
    return store()
        .pop(List.of(request))
        .map(outcomes -> ((PopOutcome.Served) outcomes.get(0)).batches());
  }

  /** A pop from one partition, which must hold as many. */
  Future<PartitionBatch> popFull(UUID partition, int batch) {
    return pop(List.of(partition), batch)
        .map(
            batches -> {
              if (batches.size() != 1 || batches.get(0).messages().size() != batch) {
                throw new IllegalStateException("not a full batch: " + batches);
              }
              return batches.get(0);
            });
  }

  /** All of these are done. */
  static List<Ack> acks(
      List<PartitionBatch> batches, Function<StoredMessage, MessageRef> reference) {
    List<Ack> acks = new ArrayList<>();
    for (PartitionBatch batch : batches) {
      for (StoredMessage message : batch.messages()) {
        acks.add(
            new Ack(
                batch.partitionId(),
                GROUP,
                reference.apply(message),
                batch.lease().map(Lease::id),
                AckStatus.COMPLETED,
                Optional.empty()));
      }
    }
    return acks;
  }

  static MessageRef byTransactionId(StoredMessage message) {
    return new MessageRef.ByTransactionId(message.transactionId());
  }

  static MessageRef byOffset(StoredMessage message) {
    return new MessageRef.ByOffset(message.offset());
  }
}
