package dev.queenmq.server.sharedstate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What one broker tells others. A broker speaks for itself only: none names its sender. */
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
   * @param leaving it says goodbye
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
   * @param config its settings, which brokers of the first releases tell; nobody needs them
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

  /** A queue was deleted; without a version, all that was known of it is void. */
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

  /** A group does not stand any more where it did on a queue, and all its leases there are over. */
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
   * @param ttlMillis so long this is worth something; a span, since clocks differ
   */
  record LeaseHintAcquired(String queue, String group, long ttlMillis, List<UUID> partitionIds)
      implements SyncMessage {
    static final int TYPE = 30;

    @Override
    public int type() {
      return TYPE;
    }
  }

  /** Leases on partitions have ended by the sender's doing, whoever held them. */
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
   * @param parts how many there are; 0 if the list is too long to be told
   */
  record PresencePart(long epoch, int part, int parts, List<String> queues) {}
}
