package dev.queenmq.server.sharedstate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A message between brokers. A broker reports only about itself, so no message names its sender.
 */
public sealed interface SyncMessage {

  /** The number that stands for the kind of message in a packet. */
  int type();

  /** Partitions of a queue got messages. */
  record MessageAvailable(String queue, List<PartitionRef> partitions) implements SyncMessage {
    static final int TYPE = 1;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** A group's lease on a partition is over. */
  record PartitionFree(String queue, String partition, UUID partitionId, String group)
      implements SyncMessage {
    static final int TYPE = 2;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /**
   * The sender is alive.
   *
   * @param sentAt milliseconds by the sender's clock, for people who read packets
   * @param leaving whether the sender stops
   * @param presence which queues it has consumers of
   */
  record Heartbeat(long sentAt, boolean leaving, PresencePart presence) implements SyncMessage {
    static final int TYPE = 3;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /**
   * A queue was created or changed.
   *
   * @param config its settings, which brokers of the first releases send; not used
   * @param version grows with every change of the queue, across brokers: the database's time of the
   *     change will do
   */
  record QueueConfigSet(String queue, Optional<Map<String, Object>> config, long version)
      implements SyncMessage {
    static final int TYPE = 10;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** A queue was deleted; without a version, all that is known of it is dropped. */
  record QueueConfigDelete(String queue, OptionalLong version) implements SyncMessage {
    static final int TYPE = 11;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** The sender has consumers of a queue, from its epoch on. */
  record ConsumerRegistered(String queue, long epoch) implements SyncMessage {
    static final int TYPE = 20;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** The sender has no consumers of a queue, from its epoch on. */
  record ConsumerDeregistered(String queue, long epoch) implements SyncMessage {
    static final int TYPE = 21;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** A group was moved on a queue, and all its leases there are over. */
  record GroupMoved(String queue, String group) implements SyncMessage {
    static final int TYPE = 22;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** Partitions are gone. */
  record PartitionDeleted(String queue, List<String> partitions) implements SyncMessage {
    static final int TYPE = 25;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /**
   * The sender leases partitions.
   *
   * @param ttlMillis how long the hint counts; a span, because clocks differ
   */
  record LeaseHintAcquired(String queue, String group, long ttlMillis, List<UUID> partitionIds)
      implements SyncMessage {
    static final int TYPE = 30;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** The sender has ended leases on partitions, its own or those of others. */
  record LeaseHintReleased(String queue, String group, List<UUID> partitionIds)
      implements SyncMessage {
    static final int TYPE = 31;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** Maintenance was switched; the later switch wins. */
  record MaintenanceSet(boolean enabled, long timestamp) implements SyncMessage {
    static final int TYPE = 40;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** Maintenance of pops was switched; the later switch wins. */
  record PopMaintenanceSet(boolean enabled, long timestamp) implements SyncMessage {
    static final int TYPE = 41;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /**
   * A part of the list of queues that a broker has consumers of. Parts of one epoch belong
   * together, whichever heartbeat brought them: the list changes only with the epoch.
   *
   * @param epoch grows with every change of the list
   * @param part which one, from 0
   * @param parts how many there are; 0 if the list is too long to be sent
   */
  record PresencePart(long epoch, int part, int parts, List<String> queues) {}
}
