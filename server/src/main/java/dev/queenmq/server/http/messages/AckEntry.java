package dev.queenmq.server.http.messages;

import dev.queenmq.server.model.Ack;

/** An ack that is well formed. */
sealed interface AckEntry {

  /** The message that it is about. */
  String transactionId();

  /** An ack for the broker. */
  record Sent(String transactionId, Ack ack) implements AckEntry {}

  /** It names a partition or a lease that cannot exist, so the store is not asked. */
  record Unsatisfiable(String transactionId, String error) implements AckEntry {}
}
