package dev.queenmq.server.model;

import java.time.Duration;

/**
 * A consumer asking for messages.
 *
 * @param batch messages at most, over all partitions
 * @param maxPartitions partitions at most
 * @param autoAck the messages are done as soon as they are handed out; no lease
 * @param subscription where the group starts, if this is its first contact
 * @param patience how long to wait for messages; zero: one look
 * @param holder who gets the lease
 */
public record PollRequest(
    PollTarget target,
    String group,
    int batch,
    int maxPartitions,
    boolean autoAck,
    Subscription subscription,
    Duration patience,
    LeaseHolder holder) {

  /** The same for a caller that is not a client. */
  public PollRequest(
      PollTarget target,
      String group,
      int batch,
      int maxPartitions,
      boolean autoAck,
      Subscription subscription,
      Duration patience) {
    this(target, group, batch, maxPartitions, autoAck, subscription, patience, LeaseHolder.UNKNOWN);
  }

  /** The same request with another patience. */
  public PollRequest waiting(Duration otherPatience) {
    return new PollRequest(
        target, group, batch, maxPartitions, autoAck, subscription, otherPatience, holder);
  }

  /** The same request of this client. */
  public PollRequest by(LeaseHolder client) {
    return new PollRequest(
        target, group, batch, maxPartitions, autoAck, subscription, patience, client);
  }
}
