package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.ConsumerDeregistered;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerRegistered;
import dev.queenmq.server.sharedstate.SyncMessage.Heartbeat;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionDeleted;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigDelete;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Turns every hint that a broker sends into its opposite: whatever the cluster still gets right, it
 * gets right without hints. What it keeps is that a broker is alive, and the switches of
 * maintenance, which are orders.
 *
 * <ul>
 *   <li>partitions got messages: others did, by wrong ids;
 *   <li>a lease was acquired: it was released, and the other way round;
 *   <li>a partition is free: the sender leases it for long;
 *   <li>there are consumers: there are none, and the other way round;
 *   <li>a queue changed: it is gone; a queue is gone: its partitions are.
 * </ul>
 */
public final class LyingLink implements SyncLink {
  private static final long LONG_MILLIS = 600_000;
  private final SyncLink link;

  /** Lies over another link. */
  public LyingLink(SyncLink link) {
    this.link = link;
  }

  @Override
  public boolean send(String serverId, int type, byte[] payload) {
    SyncMessage lie = lie(type, payload);
    boolean known = true;
    for (byte[] piece : SyncMessageCodec.encode(lie)) {
      known &= link.send(serverId, lie.type(), piece);
    }
    return known;
  }

  @Override
  public void broadcast(int type, byte[] payload) {
    SyncMessage lie = lie(type, payload);
    SyncMessageCodec.encode(lie).forEach(piece -> link.broadcast(lie.type(), piece));
  }

  private static SyncMessage lie(int type, byte[] payload) {
    return opposite(SyncMessageCodec.decode(type, payload).orElseThrow());
  }

  /** What is not so. */
  static SyncMessage opposite(SyncMessage message) {
    if (message instanceof MessageAvailable it) {
      return new MessageAvailable(
          it.queue(),
          it.partitions().stream()
              .map(each -> new PartitionRef("not-" + each.partition(), Optional.of(wrongId())))
              .toList());
    }
    if (message instanceof PartitionFree it) {
      return new LeaseHintAcquired(it.queue(), it.group(), LONG_MILLIS, List.of(it.partitionId()));
    }
    if (message instanceof Heartbeat it) {
      return new Heartbeat(it.sentAt(), it.leaving(), opposite(it.presence()));
    }
    if (message instanceof QueueConfigSet it) {
      return new QueueConfigDelete(it.queue(), OptionalLong.empty());
    }
    if (message instanceof QueueConfigDelete it) {
      return new PartitionDeleted(it.queue(), List.of("Default"));
    }
    if (message instanceof ConsumerRegistered it) {
      return new ConsumerDeregistered(it.queue(), it.epoch());
    }
    if (message instanceof ConsumerDeregistered it) {
      return new ConsumerRegistered(it.queue(), it.epoch());
    }
    if (message instanceof LeaseHintAcquired it) {
      return new LeaseHintReleased(it.queue(), it.group(), it.partitionIds());
    }
    if (message instanceof LeaseHintReleased it) {
      return new LeaseHintAcquired(it.queue(), it.group(), LONG_MILLIS, it.partitionIds());
    }
    return message;
  }

  private static PresencePart opposite(PresencePart part) {
    return new PresencePart(
        part.epoch(),
        part.part(),
        part.parts(),
        part.queues().isEmpty() ? List.of("nobody's queue") : List.of());
  }

  private static UUID wrongId() {
    return UUID.randomUUID();
  }
}
