package dev.queenmq.server.http;

import dev.queenmq.server.store.Transaction;

/** A transaction that is well formed. */
sealed interface TransactionRequest {

  /** The broker shall carry it out. */
  record Sent(Transaction transaction) implements TransactionRequest {}

  /** It cannot succeed; nobody has to be asked. */
  record Hopeless(String error) implements TransactionRequest {}
}
