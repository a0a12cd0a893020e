package dev.queenmq.bench.broker;

/**
 * What became of one ack.
 *
 * @param dead the message went to the dead letters
 * @param error why not, or empty
 */
public record AckResult(boolean success, boolean dead, String error) {
  /** What brokers say to an ack under a lease that is over. */
  public static final String LEASE_LOST = "Invalid or expired lease";

  /** Whether that is why. */
  public boolean isLeaseLost() {
    return error.equals(LEASE_LOST);
  }
}
