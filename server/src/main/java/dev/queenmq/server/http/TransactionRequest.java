package dev.queenmq.server.http;

import dev.queenmq.server.store.Transaction;

/** A transaction that is well formed. */
sealed interface TransactionRequest {

  /**
   * The broker shall carry it out.
   *
   * @param idempotencyKey of the body, or empty
   */
  record Sent(Transaction transaction, String idempotencyKey) implements TransactionRequest {
    /** Without a key. */
    Sent(Transaction transaction) {
      this(transaction, "");
    }
  }

  /** It cannot succeed; nobody has to be asked. */
  record Hopeless(String error) implements TransactionRequest {}
}
