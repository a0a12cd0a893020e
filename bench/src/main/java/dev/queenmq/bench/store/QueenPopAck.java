package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.StoredMessage;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Pops a batch from the store and acks it; a piece of work is one such pair. */
final class QueenPopAck extends Contender {
  private final String queue;
  private final Function<StoredMessage, MessageRef> reference;
  private final int batch;
  private final StoreCalls calls;
  private List<UUID> ids = List.of();
  private int turn;

  private QueenPopAck(
      String name,
      StoreConnection on,
      String queue,
      Function<StoredMessage, MessageRef> reference,
      int batch) {
    super("queen pop+ack by " + name, on);
    this.queue = queue;
    this.reference = reference;
    this.batch = batch;
    calls = new StoreCalls(on, queue);
  }

  static QueenPopAck byTransactionId(StoreConnection on, String queue, int batch) {
    return new QueenPopAck("transaction id", on, queue, StoreCalls::byTransactionId, batch);
  }

  static QueenPopAck byOffset(StoreConnection on, String queue, int batch) {
    return new QueenPopAck("offset", on, queue, StoreCalls::byOffset, batch);
  }

  /** Stores what the pops will find. */
  @Override
  void prepare(List<Batch> work) {
    for (Batch piece : Batch.joined(work, Races.PER_COMMIT)) {
      calls.push(piece.messages().stream().map(this::ours).toList());
    }
    ids = calls.partitions();
  }

  private Message ours(Message message) {
    return Message.of(
        queue, message.partition(), message.id(), message.transactionId(), message.payload());
  }

  @Override
  Future<Void> run(Batch piece) {
    UUID next = ids.get(turn++ % ids.size());
    return calls
        .popFull(next, batch)
        .compose(popped -> calls.store().ack(StoreCalls.acks(List.of(popped), reference)))
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
