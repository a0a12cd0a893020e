package dev.queenmq.server.sharedstate;

import java.util.Optional;
import java.util.UUID;

/**
 * Receives the events of other brokers, and what a refresh found. Called on the thread that
 * received them: must not block. All events are hints: they may be wrong, come twice or never.
 */
public interface SharedStateListener {

  /** A partition got messages. */
  void messageAvailable(String queue, String partition, Optional<UUID> partitionId);

  /** A group's lease on a partition is over. */
  void partitionFree(String queue, String partition, UUID partitionId, String group);

  /** A group was moved on a queue. */
  void groupMoved(String queue, String group);

  /** A queue's settings have changed. */
  void queueChanged(String queue);

  /** A queue is gone. */
  void queueDeleted(String queue);

  /** A partition is gone. */
  void partitionDeleted(String queue, String partition);

  /** A switch has changed; both as they are now. */
  void maintenance(boolean maintenance, boolean popMaintenance);

  /** A broker has been silent for too long, or has stopped: its consumers are gone. */
  default void serverDied(String server) {}
}
