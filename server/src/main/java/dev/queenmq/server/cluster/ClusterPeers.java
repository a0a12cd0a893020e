package dev.queenmq.server.cluster;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.model.admin.QueueSettings;
import dev.queenmq.server.sharedstate.PartitionRef;
import dev.queenmq.server.sharedstate.SharedState;
import dev.queenmq.server.udpsync.UdpTransport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Sends the events of this broker to the others. */
final class ClusterPeers implements Peers {
  private final SharedState state;
  private final Optional<UdpTransport> transport;
  private final QueueDirectory directory;

  /** How many others are heard of; negative unless these are all that were configured. */
  private volatile int heard = -1;

  ClusterPeers(SharedState state, Optional<UdpTransport> transport, QueueDirectory directory) {
    this.state = state;
    this.transport = transport;
    this.directory = directory;
  }

  /** Counts the live peers, once per heartbeat: too expensive for each call. */
  void look() {
    long expected = transport.map(udp -> udp.statistics().peerAddresses()).orElse(0L);
    int living = state.health().living().size();
    heard = expected > 0 && living >= expected ? living : -1;
  }

  @Override
  public void appended(String queue, List<NamedPartition> partitions) {
    if (transport.isPresent()) {
      state.messagesAvailable(
          queue,
          partitions.stream()
              .map(each -> new PartitionRef(each.partition(), Optional.of(each.partitionId())))
              .toList());
    }
  }

  @Override
  public void freed(String queue, String partition, UUID partitionId, String group) {
    state.leaseReleased(queue, partitionId, group);
    state.partitionFree(queue, partition, partitionId, group);
  }

  @Override
  public void moved(String queue, String group) {
    state.groupMoved(queue, group);
  }

  @Override
  public void leased(String queue, String group, List<UUID> partitionIds, Duration lease) {
    partitionIds.forEach(id -> state.leaseAcquired(queue, id, group, lease));
  }

  @Override
  public boolean leasedElsewhere(UUID partitionId, String group) {
    return state.likelyLeasedElsewhere(partitionId, group);
  }

  @Override
  public void leaseRefused(UUID partitionId, String group) {
    state.leaseRefused(partitionId, group);
  }

  @Override
  public boolean waitingBegan(String queue) {
    return state.waitingBegan(queue);
  }

  @Override
  public void waitingEnded(String queue) {
    state.waitingEnded(queue);
  }

  @Override
  public void configured(QueueSettings settings) {
    changed(settings.queue());
  }

  @Override
  public void resumed(String queue) {
    // The pause's end has raised the queue's version, so that others look at the queue again.
    changed(queue);
  }

  private void changed(String queue) {
    // Read back, because two brokers may have configured at once: the higher version is in force.
    directory
        .options(queue)
        .onSuccess(found -> found.ifPresent(now -> state.queueChanged(now.queue(), now.version())));
  }

  @Override
  public void deleted(String queue) {
    state.queueDeleted(queue);
  }

  @Override
  public void partitionDeleted(String queue, String partition) {
    state.partitionsDeleted(queue, List.of(partition));
  }

  @Override
  public boolean inTouch(int others) {
    return heard >= 0 && heard >= others;
  }

  @Override
  public Optional<UUID> partitionId(String queue, String partition) {
    return state.partitionIds().get(queue, partition);
  }

  @Override
  public void partitionMet(NamedPartition partition) {
    state.partitionIds().put(partition.queue(), partition.partition(), partition.partitionId());
  }

  @Override
  public void partitionMissing(String queue, String partition) {
    state.partitionIds().drop(queue, partition);
  }

  @Override
  public boolean pushesPaused() {
    return state.maintenance().maintenance();
  }

  @Override
  public boolean popsPaused() {
    return state.maintenance().popMaintenance();
  }
}
