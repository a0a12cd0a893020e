package dev.queenmq.bench.broker;

/**
 * What became of one pushed message.
 *
 * @param status as the broker spells it
 * @param messageId of the stored message, or empty
 */
public record PushResult(String status, String messageId) {

  /** It is stored now. */
  public boolean isQueued() {
    return status.equals("queued");
  }

  /** It is kept on the broker's disk, until PostgreSQL is there. */
  public boolean isBuffered() {
    return status.equals("buffered");
  }

  /** It was stored before. */
  public boolean isDuplicate() {
    return status.equals("duplicate");
  }
}
