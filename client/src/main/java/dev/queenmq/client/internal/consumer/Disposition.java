package dev.queenmq.client.internal.consumer;

import org.jspecify.annotations.Nullable;

/**
 * How a message is settled (the word of AMQP for it).
 *
 * @param status for the broker
 * @param error kept by the broker with a failure
 */
public record Disposition(Status status, @Nullable String error) {

  /** The choices. */
  public enum Status {
    /** Done. */
    COMPLETED("completed", false),
    /** Comes again, and counts as a failure. */
    FAILED("failed", true),
    /** Comes again, uncounted. */
    RETRY("retry", true),
    /** A dead letter at once. */
    DEAD_LETTER("dlq", false),
    /** Settled by a transaction: the broker knows. */
    SETTLED("", false);

    private final String wire;
    private final boolean endsLease;

    Status(String wire, boolean endsLease) {
      this.wire = wire;
      this.endsLease = endsLease;
    }

    /** The word of the protocol. */
    public String wire() {
      return wire;
    }

    /** Whether the broker gives the rest of the lane's batch to the next pop. */
    public boolean endsLease() {
      return endsLease;
    }
  }

  /** Done. */
  public static Disposition completed() {
    return new Disposition(Status.COMPLETED, null);
  }
}
