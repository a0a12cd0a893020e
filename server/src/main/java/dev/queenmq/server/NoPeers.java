package dev.queenmq.server;

import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.model.admin.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A broker alone. */
final class NoPeers implements Peers {

  @Override
  public void appended(String queue, List<NamedPartition> partitions) {}

  @Override
  public void freed(String queue, String partition, UUID partitionId, String group) {}

  @Override
  public void moved(String queue, String group) {}

  @Override
  public void leased(String queue, String group, List<UUID> partitionIds, Duration lease) {}

  @Override
  public boolean leasedElsewhere(UUID partitionId, String group) {
    return false;
  }

  @Override
  public void leaseRefused(UUID partitionId, String group) {}

  @Override
  public boolean waitingBegan(String queue) {
    return false;
  }

  @Override
  public void waitingEnded(String queue) {}

  @Override
  public void configured(QueueSettings settings) {}

  @Override
  public void deleted(String queue) {}

  @Override
  public void partitionDeleted(String queue, String partition) {}

  @Override
  public boolean inTouch(int others) {
    return false;
  }

  @Override
  public Optional<UUID> partitionId(String queue, String partition) {
    return Optional.empty();
  }

  @Override
  public void partitionMet(NamedPartition partition) {}

  @Override
  public void partitionMissing(String queue, String partition) {}
}
