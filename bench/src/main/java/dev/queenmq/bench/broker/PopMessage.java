package dev.queenmq.bench.broker;

/**
 * A message as a pop brings it.
 *
 * @param number the field {@link #NUMBER} of its payload, or -1 without one
 */
public record PopMessage(
    String id,
    String transactionId,
    String partition,
    String partitionId,
    String leaseId,
    long number) {

  /** The field of our payloads that is read back. */
  public static final String NUMBER = "n";

  /** A payload that carries this number. */
  public static String payload(long number) {
    return "{\"" + NUMBER + "\":" + number + "}";
  }
}
