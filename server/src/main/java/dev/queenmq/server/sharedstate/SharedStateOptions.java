package dev.queenmq.server.sharedstate;

import java.time.Duration;

/**
 * Sizes and times of the shared state.
 *
 * @param serverId how this broker is called; what comes from that name is ignored
 * @param deadThreshold so long silent, a broker is dead
 * @param refreshInterval so often the versions of all queues are read from the database
 * @param partitionMax so many partition ids are kept
 * @param partitionTtl for so long
 * @param leaseHintMax so many hints about leases are kept
 * @param linger so long a queue counts as consumed after its last poll
 * @param tombstone so long a deleted queue is kept from coming back by late news
 */
public record SharedStateOptions(
    String serverId,
    Duration deadThreshold,
    Duration refreshInterval,
    int partitionMax,
    Duration partitionTtl,
    int leaseHintMax,
    Duration linger,
    Duration tombstone) {

  /** As documented for the variables that set them. */
  public static SharedStateOptions defaults(String serverId) {
    return new SharedStateOptions(
        serverId,
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        10_000,
        Duration.ofMinutes(5),
        10_000,
        Duration.ofSeconds(2),
        Duration.ofSeconds(10));
  }
}
