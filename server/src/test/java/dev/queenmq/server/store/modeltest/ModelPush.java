package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a push does, by the rules of docs/internals/store.md. */
final class ModelPush {
  private final ModelState state;

  ModelPush(ModelState state) {
    this.state = state;
  }

  List<PushOutcome> push(List<Message> messages) {
    List<PushOutcome> outcomes = new ArrayList<>();
    for (Message message : messages) {
      outcomes.add(push(message));
    }
    return outcomes;
  }

  private PushOutcome push(Message message) {
    if (ModelRules.isBad(message)) {
      return new PushOutcome.Rejected(ModelRules.PROBLEM);
    }
    ModelPartition partition = state.make(message.queue(), message.partition());
    Optional<ModelMessage> first = first(partition, message.transactionId());
    if (first.isPresent()) {
      return new PushOutcome.Duplicate(first.get().message().id(), partition.id);
    }
    long offset = partition.append(message, state.now);
    return new PushOutcome.Queued(
        message.id(), partition.id, offset, partition.at(offset).createdAt());
  }

  /** The message that this id would repeat. */
  private Optional<ModelMessage> first(ModelPartition partition, String transactionId) {
    int window = state.queueOf(partition).dedupWindow();
    if (window == 0) {
      return Optional.empty();
    }
    return partition.stored().stream()
        .filter(stored -> stored.message().transactionId().equals(transactionId))
        .filter(
            stored -> window == -1 || stored.createdAt().isAfter(state.now.minusSeconds(window)))
        .findFirst();
  }
}
