package dev.queenmq.server.cluster;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.sharedstate.PartitionIds;
import dev.queenmq.server.sharedstate.SharedStateListener;
import dev.queenmq.server.sidecar.Sidecars;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Passes the events of other brokers to the waiting polls of this one. Safe for any thread. */
final class ClusterEvents implements SharedStateListener {

  private record Target(Sidecars sidecars, PartitionIds partitionIds) {}

  private final QueueDirectory directory;
  // No poll waits before there are sidecars.
  private volatile @Nullable Target target;

  ClusterEvents(QueueDirectory directory) {
    this.directory = directory;
  }

  void reaches(Sidecars sidecars, PartitionIds partitionIds) {
    target = new Target(sidecars, partitionIds);
  }

  @Override
  public void messageAvailable(String queue, String partition, Optional<UUID> partitionId) {
    Target to = target;
    if (to == null) {
      return;
    }
    if (partitionId.isPresent()) {
      to.sidecars.appendedElsewhere(queue, partition, partitionId.get());
    } else if (partition.isEmpty()) {
      to.sidecars.changedElsewhere(queue);
    } else {
      to.partitionIds
          .get(queue, partition, () -> directory.partitionId(queue, partition).toCompletionStage())
          .thenAccept(
              found -> found.ifPresent(id -> to.sidecars.appendedElsewhere(queue, partition, id)));
    }
  }

  @Override
  public void partitionFree(String queue, String partition, UUID partitionId, String group) {
    Target to = target;
    if (to != null) {
      to.sidecars.freedElsewhere(queue, partition, partitionId, group);
    }
  }

  @Override
  public void groupMoved(String queue, String group) {
    Target to = target;
    if (to != null) {
      to.sidecars.movedElsewhere(queue, group);
    }
  }

  @Override
  public void queueChanged(String queue) {
    Target to = target;
    if (to != null) {
      to.sidecars.changedElsewhere(queue);
    }
  }

  @Override
  public void queueDeleted(String queue) {
    queueChanged(queue);
  }

  @Override
  public void partitionDeleted(String queue, String partition) {
    // Its id is dropped; polls for it ask by name again.
  }

  @Override
  public void maintenance(boolean maintenance, boolean popMaintenance) {
    // Not cached here: the switches are read for each request.
  }
}
