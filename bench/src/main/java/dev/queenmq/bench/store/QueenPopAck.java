package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
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
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Pops a batch from the store and acks it; a piece of work is one such pair. */
final class QueenPopAck implements Contender<Batch> {
  /** How the acks name their messages. */
  enum By {
    TRANSACTION_ID,
    OFFSET
  }

  private static final String GROUP = "workers";

  private final StoreConnection on;
  private final String queue;
  private final By by;
  private final int batch;
  private final Map<String, UUID> partitionIds = new LinkedHashMap<>();
  private List<UUID> ids = List.of();
  private int turn;

  QueenPopAck(StoreConnection on, String queue, By by, int batch) {
    this.on = on;
    this.queue = queue;
    this.by = by;
    this.batch = batch;
  }

  @Override
  public String name() {
    return switch (by) {
      case TRANSACTION_ID -> "queen pop+ack by transaction id";
      case OFFSET -> "queen pop+ack by offset";
    };
  }

  @Override
  public Context context() {
    return on.context();
  }

  /** Stores what the pops will find. */
  @Override
  public void prepare(List<Batch> work) {
    for (Batch piece : Batch.joined(work, PopAckBench.PER_COMMIT)) {
      List<Message> messages = piece.messages().stream().map(this::ours).toList();
      List<PushOutcome> outcomes = Blocking.get(on.store().push(messages));
      QueenPush.queued(outcomes);
      for (int i = 0; i < messages.size(); i++) {
        if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
          partitionIds.put(messages.get(i).partition(), queued.partitionId());
        }
      }
    }
    ids = List.copyOf(partitionIds.values());
  }

  private Message ours(Message message) {
    return Message.of(
        queue, message.partition(), message.id(), message.transactionId(), message.payload());
  }

  @Override
  public Future<Void> run(Batch piece) {
    UUID next = ids.get(turn++ % ids.size());
    PopRequest request =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(queue), List.of(next)),
            GROUP,
            batch,
            1,
            false,
            new Subscription.All());
    return on.store().pop(List.of(request)).compose(outcomes -> acknowledge(full(outcomes.get(0))));
  }

  private PartitionBatch full(PopOutcome outcome) {
    if (outcome instanceof PopOutcome.Served served
        && served.batches().size() == 1
        && served.batches().get(0).messages().size() == batch) {
      return served.batches().get(0);
    }
    throw new IllegalStateException("not a full batch: " + outcome);
  }

  private Future<Void> acknowledge(PartitionBatch popped) {
    List<Ack> acks = new ArrayList<>(popped.messages().size());
    for (StoredMessage message : popped.messages()) {
      MessageRef reference =
          switch (by) {
            case TRANSACTION_ID -> new MessageRef.ByTransactionId(message.transactionId());
            case OFFSET -> new MessageRef.ByOffset(message.offset());
          };
      acks.add(
          new Ack(
              popped.partitionId(),
              GROUP,
              reference,
              popped.lease().map(Lease::id),
              AckStatus.COMPLETED,
              Optional.empty()));
    }
    return on.store()
        .ack(acks)
        .map(
            outcomes -> {
              for (AckOutcome outcome : outcomes) {
                if (!(outcome instanceof AckOutcome.Applied)) {
                  throw new IllegalStateException("not acknowledged: " + outcome);
                }
              }
              return null;
            });
  }
}
