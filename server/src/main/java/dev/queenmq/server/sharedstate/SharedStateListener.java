package dev.queenmq.server.sharedstate;

import java.util.Optional;
import java.util.UUID;

/**
 * Is told what other brokers say, and what a refresh found. Called by the thread that received it:
 * must not block, and hops to where it belongs by itself. All of it are hints: what is said may be
 * wrong, come twice or never.
 */
public interface SharedStateListener {

  /** A partition got messages, or so it is said. */
  void messageAvailable(String queue, String partition, Optional<UUID> partitionId);

  /** A group's lease on a partition is over, or so it is said. */
  void partitionFree(String queue, String partition, UUID partitionId, String group);

  /** A group does not stand any more where it did on a queue, or so it is said. */
  void groupMoved(String queue, String group);

  /** A queue's settings are not what they were. */
  void queueChanged(String queue);

  /** A queue is gone. */
  void queueDeleted(String queue);

  /** A partition is gone. */
  void partitionDeleted(String queue, String partition);

  /** A switch has moved; both as they are now. */
  void maintenance(boolean maintenance, boolean popMaintenance);

  /** A broker has been silent for too long, or has said goodbye: its consumers are gone. */
  default void serverDied(String server) {}
}
