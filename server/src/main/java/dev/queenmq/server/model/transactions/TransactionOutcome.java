package dev.queenmq.server.model.transactions;

import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import java.util.List;
import java.util.UUID;

/** What became of a transaction. */
public sealed interface TransactionOutcome {

  /** All of it happened; one result per operation. */
  record Committed(List<OperationResult> results) implements TransactionOutcome {}

  /**
   * All of it happened before, under the same key: this is the answer of then.
   *
   * @param id under which it happened
   */
  record Repeated(UUID id, List<KeptPush> pushes, List<KeptAck> acks)
      implements TransactionOutcome {}

  /** None of it happened: another transaction has happened under the same key. */
  record KeyTaken() implements TransactionOutcome {}

  /** None of it happened. */
  record RolledBack(Cause cause) implements TransactionOutcome {}

  /** What a push of a transaction answered that happened before. */
  record KeptPush(int operation, UUID messageId, String transactionId, UUID partitionId) {}

  /** What an ack of a transaction answered that happened before. */
  record KeptAck(int operation, boolean deadLettered) {}

  /** The result of one operation of a committed transaction. */
  sealed interface OperationResult {
    /** The message is stored. */
    record Pushed(PushOutcome.Queued queued) implements OperationResult {}

    /** The ack counts. */
    record Acknowledged(AckOutcome.Applied applied) implements OperationResult {}
  }

  /** Why a transaction was rolled back. */
  sealed interface Cause {
    /** A required lease is not live. */
    record LeaseLost() implements Cause {}

    /** The push at this position repeats a transaction id. */
    record DuplicatePush(int operation, PushOutcome.Duplicate duplicate) implements Cause {}

    /** The queue of the push at this position has no room. */
    record QueueFull(int operation) implements Cause {}

    /** The ack at this position changed nothing. */
    record AckFailed(int operation, AckOutcome.Failed failed) implements Cause {}

    /** The push at this position is to an encrypted queue, and this broker has no key. */
    record KeyMissing(int operation) implements Cause {}

    /** The operation at this position cannot be carried out. */
    record Rejected(int operation, Problem problem) implements Cause {}
  }
}
