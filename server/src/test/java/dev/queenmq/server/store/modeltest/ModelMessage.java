package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.StoredMessage;
import java.time.Instant;

/** A message of the model. */
record ModelMessage(long offset, Message message, Instant createdAt) {

  /** Not a transaction id that a client can have. */
  private static final String WIPED = "\0wiped";

  /** What is left of it when it was deleted. */
  ModelMessage wiped() {
    Message left =
        new Message(
            message.queue(),
            message.partition(),
            message.id(),
            WIPED,
            "null",
            null,
            null,
            message.encrypted());
    return new ModelMessage(offset, left, createdAt);
  }

  boolean isWiped() {
    return message.transactionId().equals(WIPED);
  }

  /** As a consumer gets it. */
  StoredMessage stored(int attempt) {
    return new StoredMessage(
        offset,
        message.id(),
        message.transactionId(),
        message.payload(),
        message.traceId(),
        message.producerSub(),
        PayloadForm.now(message.encrypted()),
        createdAt,
        attempt);
  }
}
