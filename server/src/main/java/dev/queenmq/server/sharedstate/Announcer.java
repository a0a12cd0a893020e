package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.ConsumerDeregistered;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerRegistered;
import dev.queenmq.server.sharedstate.SyncMessage.GroupMoved;
import dev.queenmq.server.sharedstate.SyncMessage.Heartbeat;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Sends messages to the brokers that they concern, and to no others. Thread-safe; never throws. */
final class Announcer {
  private final SyncLink link;
  private final LongSupplier clock;
  private final ConsumerPresence presence;
  private final LocalConsumers local;
  private final LeaseHintOutbox leases;
  private final FailureLog failures = new FailureLog("cannot send to other brokers");
  private volatile boolean stopped;

  Announcer(
      SyncLink link,
      LongSupplier clock,
      ConsumerPresence presence,
      LocalConsumers local,
      LeaseHintOutbox leases) {
    this.link = link;
    this.clock = clock;
    this.presence = presence;
    this.local = local;
    this.leases = leases;
  }

  void broadcast(SyncMessage message) {
    if (stopped) {
      return;
    }
    failures.guard(
        () ->
            SyncMessageCodec.encode(message)
                .forEach(payload -> link.broadcast(message.type(), payload)));
  }

  void messagesAvailable(String queue, List<PartitionRef> partitions) {
    if (!stopped && !partitions.isEmpty()) {
      Optional<List<String>> targets = presence.targets(queue);
      if (targets.isEmpty() || !targets.get().isEmpty()) {
        presence.sent(targets.isEmpty());
      }
      sendTo(targets, new MessageAvailable(queue, partitions));
    }
  }

  void partitionFree(PartitionFree message) {
    if (!stopped) {
      sendTo(presence.targets(message.queue()), message);
    }
  }

  void groupMoved(GroupMoved message) {
    if (!stopped) {
      sendTo(presence.targets(message.queue()), message);
    }
  }

  /** Sends the collected hints about leases. */
  void flush() {
    for (SyncMessage message : leases.drain()) {
      if (message instanceof LeaseHintAcquired acquired) {
        sendTo(presence.targets(acquired.queue()), message);
      } else if (message instanceof LeaseHintReleased released) {
        ended(presence.targets(released.queue()), message);
      }
    }
  }

  /**
   * Brokers with waiting polls know already that the partition is free. But another broker may have
   * granted the lease, and must not send hints about it any more: which one is not known, so it
   * goes to all. If no poll waits, no hints about leases are sent either.
   */
  private void ended(Optional<List<String>> waiting, SyncMessage message) {
    if (waiting.isEmpty() || !waiting.get().isEmpty()) {
      broadcast(message);
    }
  }

  /** Whether it is sent to the others now. */
  boolean waitingBegan(String queue) {
    boolean first = local.began(queue);
    if (first) {
      broadcast(new ConsumerRegistered(queue, local.nextEpoch()));
    }
    return first;
  }

  void waitingEnded(String queue) {
    local.ended(queue);
  }

  /** Sends a heartbeat with the list of our consumers. */
  void heartbeat() {
    for (String queue : local.expire()) {
      broadcast(new ConsumerDeregistered(queue, local.nextEpoch()));
    }
    long now = clock.getAsLong();
    for (PresencePart part : local.parts()) {
      broadcast(new Heartbeat(now, false, part));
    }
  }

  /** Sends a last heartbeat, and nothing from then on. */
  void stop() {
    if (!stopped) {
      PresencePart empty = new PresencePart(local.nextEpoch(), 0, 1, List.of());
      broadcast(new Heartbeat(clock.getAsLong(), true, empty));
      stopped = true;
    }
  }

  long failures() {
    return failures.count();
  }

  private void sendTo(Optional<List<String>> targets, SyncMessage message) {
    if (targets.isEmpty()) {
      broadcast(message);
      return;
    }
    if (stopped || targets.get().isEmpty()) {
      return;
    }
    failures.guard(
        () ->
            SyncMessageCodec.encode(message)
                .forEach(payload -> send(targets.get(), message.type(), payload)));
  }

  /** For a target that the link does not know, the message goes to all. */
  private void send(List<String> targets, int type, byte[] payload) {
    if (!link.send(targets, type, payload)) {
      link.broadcast(type, payload);
    }
  }
}
