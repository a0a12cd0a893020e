package dev.queenmq.server.model;

/** How an ack names its message. */
public sealed interface MessageRef {

  /** By the transaction id, as clients do. */
  record ByTransactionId(String transactionId) implements MessageRef {}

  /** As a broker may that remembers what it handed out under the lease: saves the search. */
  record ByOffset(long offset) implements MessageRef {}
}
