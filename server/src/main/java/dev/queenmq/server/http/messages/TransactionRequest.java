package dev.queenmq.server.http.messages;

import dev.queenmq.server.model.transactions.Transaction;

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

  /** It cannot succeed, so the store is not asked. */
  record Unsatisfiable(String error) implements TransactionRequest {}
}
