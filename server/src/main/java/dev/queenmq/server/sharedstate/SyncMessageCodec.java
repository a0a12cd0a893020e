package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.ConsumerDeregistered;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerRegistered;
import dev.queenmq.server.sharedstate.SyncMessage.GroupMoved;
import dev.queenmq.server.sharedstate.SyncMessage.Heartbeat;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import dev.queenmq.server.sharedstate.SyncMessage.MaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionDeleted;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PopMaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigDelete;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import dev.queenmq.server.sharedstate.Wire.MalformedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages as MessagePack. Unknown kinds and malformed payloads are ignored, never an error. */
public final class SyncMessageCodec {
  /** A payload is at most this long, so that a packet passes any network in one piece. */
  public static final int MAX_PAYLOAD = 1308;

  /** A longer list of queues is not sent: a broker with that many gets all messages. */
  static final int MAX_PRESENCE_PARTS = 1024;

  /** Names of fields and headers, generously. */
  private static final int FRAME = 96;

  private static final String QUEUE = "queue";
  private static final String PARTITION = "partition";
  private static final String PARTITIONS = "partitions";
  private static final String PARTITION_ID = "partition_id";
  private static final String PARTITION_IDS = "partition_ids";
  private static final String GROUP = "consumer_group";
  private static final String VERSION = "version";
  private static final String CONFIG = "config";
  private static final String EPOCH = "epoch";
  private static final String PART = "part";
  private static final String PARTS = "parts";
  private static final String QUEUES = "queues";
  private static final String LEAVING = "leaving";
  private static final String ENABLED = "enabled";
  private static final String TTL = "ttl_ms";
  private static final String TIMESTAMP = "ts";

  private SyncMessageCodec() {}

  /**
   * The payloads that say it: several where one would be too long, none where even one element does
   * not fit. Then nothing is sent, which only costs time.
   */
  public static List<byte[]> encode(SyncMessage message) {
    return pieces(message).stream()
        .map(piece -> Wire.write(fields(piece)))
        .filter(payload -> payload.length <= MAX_PAYLOAD)
        .toList();
  }

  /** What a payload says; nothing if it is not understood. Never throws. */
  public static Optional<SyncMessage> decode(int type, byte[] payload) {
    if (payload.length > MAX_PAYLOAD) {
      return Optional.empty();
    }
    try {
      return message(type, payload);
    } catch (RuntimeException malformed) {
      return Optional.empty();
    }
  }

  /** The names of queues in parts that fit into one heartbeat each; at least one. */
  static List<List<String>> presenceParts(List<String> queues) {
    List<List<String>> parts = Packets.cut(queues, FRAME, Packets::size);
    return parts.isEmpty() ? List.of(List.of()) : parts;
  }

  private static List<SyncMessage> pieces(SyncMessage message) {
    List<SyncMessage> pieces = new ArrayList<>();
    if (message instanceof MessageAvailable it) {
      int besides = FRAME + Packets.size(it.queue());
      Packets.cut(it.partitions(), besides, Packets::size)
          .forEach(piece -> pieces.add(new MessageAvailable(it.queue(), piece)));
    } else if (message instanceof PartitionDeleted it) {
      int besides = FRAME + Packets.size(it.queue());
      Packets.cut(it.partitions(), besides, Packets::size)
          .forEach(piece -> pieces.add(new PartitionDeleted(it.queue(), piece)));
    } else if (message instanceof LeaseHintAcquired it) {
      int besides = FRAME + Packets.size(it.queue()) + Packets.size(it.group());
      Packets.cut(it.partitionIds(), besides, id -> Packets.idSize())
          .forEach(
              piece ->
                  pieces.add(new LeaseHintAcquired(it.queue(), it.group(), it.ttlMillis(), piece)));
    } else if (message instanceof LeaseHintReleased it) {
      int besides = FRAME + Packets.size(it.queue()) + Packets.size(it.group());
      Packets.cut(it.partitionIds(), besides, id -> Packets.idSize())
          .forEach(piece -> pieces.add(new LeaseHintReleased(it.queue(), it.group(), piece)));
    } else {
      pieces.add(message);
    }
    return pieces;
  }

  // Java 17 has no switch over sealed types; the test of round trips knows every kind.
  private static Map<String, Object> fields(SyncMessage message) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (message instanceof MessageAvailable it) {
      fields.put(QUEUE, it.queue());
      fields.put(PARTITIONS, it.partitions().stream().map(SyncMessageCodec::partition).toList());
    } else if (message instanceof PartitionFree it) {
      fields.put(QUEUE, it.queue());
      fields.put(PARTITION, it.partition());
      fields.put(PARTITION_ID, it.partitionId());
      fields.put(GROUP, it.group());
    } else if (message instanceof Heartbeat it) {
      fields.put(TIMESTAMP, it.sentAt());
      fields.put(LEAVING, it.leaving());
      fields.put(EPOCH, it.presence().epoch());
      fields.put(PART, it.presence().part());
      fields.put(PARTS, it.presence().parts());
      fields.put(QUEUES, it.presence().queues());
    } else if (message instanceof QueueConfigSet it) {
      return queueConfig(it);
    } else if (message instanceof QueueConfigDelete it) {
      fields.put(QUEUE, it.queue());
      it.version().ifPresent(version -> fields.put(VERSION, version));
    } else if (message instanceof ConsumerRegistered it) {
      fields.put(QUEUE, it.queue());
      fields.put(EPOCH, it.epoch());
    } else if (message instanceof ConsumerDeregistered it) {
      fields.put(QUEUE, it.queue());
      fields.put(EPOCH, it.epoch());
    } else if (message instanceof GroupMoved it) {
      fields.put(QUEUE, it.queue());
      fields.put(GROUP, it.group());
    } else if (message instanceof PartitionDeleted it) {
      fields.put(QUEUE, it.queue());
      fields.put(PARTITIONS, it.partitions());
    } else if (message instanceof LeaseHintAcquired it) {
      fields.put(QUEUE, it.queue());
      fields.put(GROUP, it.group());
      fields.put(TTL, it.ttlMillis());
      fields.put(PARTITION_IDS, it.partitionIds());
    } else if (message instanceof LeaseHintReleased it) {
      fields.put(QUEUE, it.queue());
      fields.put(GROUP, it.group());
      fields.put(PARTITION_IDS, it.partitionIds());
    } else if (message instanceof MaintenanceSet it) {
      fields.put(ENABLED, it.enabled());
      fields.put(TIMESTAMP, it.timestamp());
    } else if (message instanceof PopMaintenanceSet it) {
      fields.put(ENABLED, it.enabled());
      fields.put(TIMESTAMP, it.timestamp());
    }
    return fields;
  }

  /** With its configuration if that fits: without it, others at least see the new version. */
  private static Map<String, Object> queueConfig(QueueConfigSet message) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(QUEUE, message.queue());
    fields.put(VERSION, message.version());
    if (message.config().isPresent()) {
      fields.put(CONFIG, message.config().get());
      if (Wire.write(fields).length > MAX_PAYLOAD) {
        fields.remove(CONFIG);
      }
    }
    return fields;
  }

  private static List<Object> partition(PartitionRef partition) {
    return partition.partitionId().isPresent()
        ? List.of(partition.partition(), partition.partitionId().get())
        : List.of(partition.partition());
  }

  private static Optional<SyncMessage> message(int type, byte[] payload) {
    return switch (type) {
      case MessageAvailable.TYPE,
          PartitionFree.TYPE,
          Heartbeat.TYPE,
          GroupMoved.TYPE,
          PartitionDeleted.TYPE,
          LeaseHintAcquired.TYPE,
          LeaseHintReleased.TYPE ->
          Optional.of(news(type, new Fields(Wire.read(payload))));
      case QueueConfigSet.TYPE,
          QueueConfigDelete.TYPE,
          ConsumerRegistered.TYPE,
          ConsumerDeregistered.TYPE,
          MaintenanceSet.TYPE,
          PopMaintenanceSet.TYPE ->
          Optional.of(change(type, new Fields(Wire.read(payload))));
      default -> Optional.empty();
    };
  }

  private static SyncMessage news(int type, Fields in) {
    return switch (type) {
      case MessageAvailable.TYPE ->
          new MessageAvailable(in.name(QUEUE), in.list(PARTITIONS, Fields::asPartition));
      case PartitionFree.TYPE ->
          new PartitionFree(
              in.name(QUEUE), in.name(PARTITION), in.id(PARTITION_ID), in.name(GROUP));
      case Heartbeat.TYPE ->
          new Heartbeat(in.number(TIMESTAMP), in.flag(LEAVING), presencePart(in));
      case GroupMoved.TYPE -> new GroupMoved(in.name(QUEUE), in.name(GROUP));
      case PartitionDeleted.TYPE ->
          new PartitionDeleted(in.name(QUEUE), in.list(PARTITIONS, Fields::asName));
      case LeaseHintAcquired.TYPE ->
          new LeaseHintAcquired(
              in.name(QUEUE), in.name(GROUP), in.number(TTL), in.list(PARTITION_IDS, Fields::asId));
      case LeaseHintReleased.TYPE ->
          new LeaseHintReleased(
              in.name(QUEUE), in.name(GROUP), in.list(PARTITION_IDS, Fields::asId));
      default -> throw new MalformedException("no such type");
    };
  }

  private static SyncMessage change(int type, Fields in) {
    return switch (type) {
      case QueueConfigSet.TYPE ->
          new QueueConfigSet(in.name(QUEUE), in.plainValues(CONFIG), in.number(VERSION));
      case QueueConfigDelete.TYPE ->
          new QueueConfigDelete(in.name(QUEUE), in.optionalNumber(VERSION));
      case ConsumerRegistered.TYPE -> new ConsumerRegistered(in.name(QUEUE), in.number(EPOCH));
      case ConsumerDeregistered.TYPE -> new ConsumerDeregistered(in.name(QUEUE), in.number(EPOCH));
      case MaintenanceSet.TYPE -> new MaintenanceSet(in.truth(ENABLED), in.number(TIMESTAMP));
      case PopMaintenanceSet.TYPE -> new PopMaintenanceSet(in.truth(ENABLED), in.number(TIMESTAMP));
      default -> throw new MalformedException("no such type");
    };
  }

  private static PresencePart presencePart(Fields in) {
    long part = in.number(PART);
    long parts = in.number(PARTS);
    if (parts < 0 || parts > MAX_PRESENCE_PARTS || part < 0 || part >= Math.max(1, parts)) {
      throw new MalformedException("not a proper part");
    }
    return new PresencePart(
        in.number(EPOCH), (int) part, (int) parts, in.list(QUEUES, Fields::asName));
  }
}
