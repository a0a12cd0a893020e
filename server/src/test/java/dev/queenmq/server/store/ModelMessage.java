package dev.queenmq.server.store;

import java.time.Instant;

/** A message of the model. */
record ModelMessage(long offset, Message message, Instant createdAt) {

  /** As a consumer gets it. */
  StoredMessage stored() {
    return new StoredMessage(
        offset,
        message.id(),
        message.transactionId(),
        message.payload(),
        message.traceId(),
        message.producerSub(),
        message.encrypted(),
        createdAt);
  }
}
