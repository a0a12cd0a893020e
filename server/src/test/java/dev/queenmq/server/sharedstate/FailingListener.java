package dev.queenmq.server.sharedstate;

import java.util.Optional;
import java.util.UUID;

/** Fails whatever it is told. */
final class FailingListener implements SharedStateListener {
  @Override
  public void messageAvailable(String queue, String partition, Optional<UUID> partitionId) {
    throw new IllegalStateException();
  }

  @Override
  public void partitionFree(String queue, String partition, UUID partitionId, String group) {
    throw new IllegalStateException();
  }

  @Override
  public void groupMoved(String queue, String group) {
    throw new IllegalStateException();
  }

  @Override
  public void queueChanged(String queue) {
    throw new IllegalStateException();
  }

  @Override
  public void queueDeleted(String queue) {
    throw new IllegalStateException();
  }

  @Override
  public void partitionDeleted(String queue, String partition) {
    throw new IllegalStateException();
  }

  @Override
  public void maintenance(boolean maintenance, boolean popMaintenance) {
    throw new IllegalStateException();
  }
}
