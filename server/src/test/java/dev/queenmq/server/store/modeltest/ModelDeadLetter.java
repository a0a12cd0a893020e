package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Message;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A dead letter, as the model expects it and as the table holds it. */
record ModelDeadLetter(
    Key key,
    Message message,
    Instant createdAt,
    @Nullable String error,
    int retryCount,
    Instant failedAt) {

  boolean isIn(ModelPartition partition) {
    return key.queue.equals(partition.queue) && key.partition.equals(partition.name);
  }

  /** The message under another id. */
  Message messageAs(UUID id) {
    return new Message(
        message.queue(),
        message.partition(),
        id,
        message.transactionId(),
        message.payload(),
        message.traceId(),
        message.producerSub(),
        message.encrypted());
  }

  /** Of which message, for whom. */
  record Key(String queue, String partition, String group, long offset) {}
}
