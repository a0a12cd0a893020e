package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.HeldBatch;
import dev.queenmq.bench.broker.AckResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** One client's way to the audited queue. For one event loop, one call at a time. */
interface AuditClient extends PushClient {
  /** What an ack can say. */
  String COMPLETED = "completed";

  String FAILED = "failed";
  String RETRY = "retry";
  String DLQ = "dlq";

  /** An ack on one message. */
  record Said(HeldBatch batch, AuditedMessage message, String status) {
    /** Whether the message is done if this is taken. */
    boolean isDone() {
      return status.equals(COMPLETED) || status.equals(DLQ);
    }
  }

  /**
   * How a call is made.
   *
   * @param cutAfter the connection is cut if there is no answer by then; zero: in the middle of the
   *     request; negative: never
   * @param loose acks do not name the lease
   */
  record Sending(Duration cutAfter, boolean loose) {
    static final Sending WHOLE = new Sending(Duration.ofMillis(-1), false);
    static final Sending HALF = new Sending(Duration.ZERO, false);
    static final Sending LOOSE = new Sending(Duration.ofMillis(-1), true);

    static Sending cutAfter(int millis) {
      return new Sending(Duration.ofMillis(millis), false);
    }
  }

  /** What became of a transaction. */
  record TransactionResult(Kind kind, String text) {
    /** Which it can be. */
    enum Kind {
      COMMITTED,
      LEASE_LOST,
      DUPLICATE,
      OTHER
    }
  }

  /** Takes some messages for a group, which are written down; waits a little if there are none. */
  Future<List<HeldBatch>> pop(int group);

  /** The results in the order of the acks. */
  Future<List<AckResult>> ack(int group, List<Said> acks, Sending how);

  /** Extends a lease by its time; whether that happened. */
  Future<Boolean> extend(String leaseId);

  /** Takes these acks and copies their messages, or does nothing; a spoiled one must do so. */
  Future<TransactionResult> copy(int group, List<Said> acks, boolean spoil);

  /** The consumer of these is gone, and says nothing about them. */
  Future<Void> die(List<HeldBatch> batches);
}
