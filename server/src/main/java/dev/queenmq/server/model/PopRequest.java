package dev.queenmq.server.model;

/**
 * A consumer asking for messages.
 *
 * @param batch messages at most, over all partitions
 * @param maxPartitions partitions at most
 * @param autoAck the messages are done as soon as they are handed out; no lease
 * @param holder who gets the lease
 */
public record PopRequest(
    PopTarget target,
    String group,
    int batch,
    int maxPartitions,
    boolean autoAck,
    Subscription subscription,
    LeaseHolder holder) {

  /** The same for a caller that is not a client. */
  public PopRequest(
      PopTarget target,
      String group,
      int batch,
      int maxPartitions,
      boolean autoAck,
      Subscription subscription) {
    this(target, group, batch, maxPartitions, autoAck, subscription, LeaseHolder.UNKNOWN);
  }

  /** The group of consumers that name none. */
  public static final String QUEUE_MODE = "__QUEUE_MODE__";
}
