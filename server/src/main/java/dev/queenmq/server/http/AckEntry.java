package dev.queenmq.server.http;

import dev.queenmq.server.store.Ack;

/** A verdict that is well formed. */
sealed interface AckEntry {

  /** The message that it is about. */
  String transactionId();

  /** The broker shall judge it. */
  record Sent(String transactionId, Ack ack) implements AckEntry {}

  /** It names a partition or a lease that cannot exist; nobody has to be asked. */
  record Hopeless(String transactionId, String error) implements AckEntry {}
}
