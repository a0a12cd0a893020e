package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.MaintenanceFlags.Flag;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerDeregistered;
import dev.queenmq.server.sharedstate.SyncMessage.ConsumerRegistered;
import dev.queenmq.server.sharedstate.SyncMessage.GroupMoved;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import dev.queenmq.server.sharedstate.SyncMessage.MaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.MessageAvailable;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionDeleted;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PopMaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigDelete;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import java.util.UUID;

/** Applies the messages of other brokers to the caches, and passes them to the listener. */
record Receiver(
    QueueVersions versions,
    PartitionIds partitionIds,
    LeaseHints leaseHints,
    LeaseHintOutbox leaseOutbox,
    ConsumerPresence presence,
    MaintenanceFlags maintenance,
    SharedStateListener listener) {

  void receive(String sender, SyncMessage message) {
    if (message instanceof MessageAvailable it) {
      it.partitions()
          .forEach(
              each -> listener.messageAvailable(it.queue(), each.partition(), each.partitionId()));
    } else if (message instanceof PartitionFree it) {
      leaseEnded(it.partitionId(), it.group());
      listener.partitionFree(it.queue(), it.partition(), it.partitionId(), it.group());
    } else if (message instanceof GroupMoved it) {
      leaseHints.dropGroup(it.queue(), it.group());
      listener.groupMoved(it.queue(), it.group());
    } else if (message instanceof QueueConfigSet it) {
      versions.changed(it.queue(), it.version());
    } else if (message instanceof QueueConfigDelete it) {
      versions.deleted(it.queue(), it.version());
    } else if (message instanceof ConsumerRegistered it) {
      presence.registered(sender, it.queue(), it.epoch());
    } else if (message instanceof ConsumerDeregistered it) {
      presence.deregistered(sender, it.queue(), it.epoch());
    } else if (message instanceof PartitionDeleted it) {
      it.partitions()
          .forEach(
              partition -> {
                dropPartition(it.queue(), partition);
                listener.partitionDeleted(it.queue(), partition);
              });
    } else if (message instanceof LeaseHintAcquired it) {
      it.partitionIds()
          .forEach(id -> leaseHints.acquired(sender, it.queue(), id, it.group(), it.ttlMillis()));
    } else if (message instanceof LeaseHintReleased it) {
      it.partitionIds().forEach(id -> leaseEnded(id, it.group()));
    } else if (message instanceof MaintenanceSet it) {
      maintenance.setMaintenance(new Flag(it.enabled(), it.timestamp()));
    } else if (message instanceof PopMaintenanceSet it) {
      maintenance.setPopMaintenance(new Flag(it.enabled(), it.timestamp()));
    }
  }

  private void leaseEnded(UUID partitionId, String group) {
    leaseHints.released(partitionId, group);
    leaseOutbox.endedElsewhere(partitionId, group);
  }

  /** What hung on the id is dropped as far as the id is known; the rest ends by itself. */
  void dropPartition(String queue, String partition) {
    partitionIds.known(queue, partition).ifPresent(leaseHints::dropPartition);
    partitionIds.drop(queue, partition);
  }
}
