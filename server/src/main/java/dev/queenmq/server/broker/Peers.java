package dev.queenmq.server.broker;

import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.model.admin.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The other brokers on the same database, and what is remembered on their behalf. Everything that
 * is sent and received is a hint: if it is wrong or lost, delivery takes longer, and nothing else.
 * Safe for any thread.
 */
public interface Peers {

  /** Partitions of a queue got messages. */
  void appended(String queue, List<NamedPartition> partitions);

  /** A group's lease on a partition is over. */
  void freed(String queue, String partition, UUID partitionId, String group);

  /** A group was moved on a queue, and its leases there are over. */
  void moved(String queue, String group);

  /** A consumer of the group holds these partitions, for this long. */
  void leased(String queue, String group, List<UUID> partitionIds, Duration lease);

  /** Whether a consumer at another broker probably holds a partition. */
  boolean leasedElsewhere(UUID partitionId, String group);

  /** The store did not give a partition, since a consumer of the group holds it. */
  void leaseRefused(UUID partitionId, String group);

  /**
   * A poll waits for messages of a queue.
   *
   * @return whether this was announced to the others just now
   */
  boolean waitingBegan(String queue);

  /** A poll no longer waits for messages of a queue. */
  void waitingEnded(String queue);

  /** A queue has these settings now. */
  void configured(QueueSettings settings);

  /** Pops of a queue go on after a pause. */
  default void resumed(String queue) {}

  /** A queue is gone. */
  void deleted(String queue);

  /** A partition is gone; what is remembered of it is void. */
  void partitionDeleted(String queue, String partition);

  /**
   * Whether all of them have been heard of lately, so that the tail need not be watched closely.
   *
   * @param others how many PostgreSQL knows of
   */
  boolean inTouch(int others);

  /** The id of a partition, if it is remembered; it may be gone. */
  Optional<UUID> partitionId(String queue, String partition);

  /** A partition was met. */
  void partitionMet(NamedPartition partition);

  /** A partition that was remembered is not there. */
  void partitionMissing(String queue, String partition);

  /** Whether an operator wants pushes to be kept away from PostgreSQL. */
  default boolean pushesPaused() {
    return false;
  }

  /** Whether an operator wants pops to find nothing. */
  default boolean popsPaused() {
    return false;
  }
}
