package dev.queenmq.server.sharedstate;

import java.util.Optional;
import java.util.UUID;

/** Wraps a listener: its exceptions are logged and go no further. */
final class GuardedListener implements SharedStateListener {
  private final SharedStateListener listener;
  private final FailureLog failures = new FailureLog("a listener of the shared state failed");

  GuardedListener(SharedStateListener listener) {
    this.listener = listener;
  }

  @Override
  public void messageAvailable(String queue, String partition, Optional<UUID> partitionId) {
    guard(() -> listener.messageAvailable(queue, partition, partitionId));
  }

  @Override
  public void partitionFree(String queue, String partition, UUID partitionId, String group) {
    guard(() -> listener.partitionFree(queue, partition, partitionId, group));
  }

  @Override
  public void groupMoved(String queue, String group) {
    guard(() -> listener.groupMoved(queue, group));
  }

  @Override
  public void queueChanged(String queue) {
    guard(() -> listener.queueChanged(queue));
  }

  @Override
  public void queueDeleted(String queue) {
    guard(() -> listener.queueDeleted(queue));
  }

  @Override
  public void partitionDeleted(String queue, String partition) {
    guard(() -> listener.partitionDeleted(queue, partition));
  }

  @Override
  public void maintenance(boolean maintenance, boolean popMaintenance) {
    guard(() -> listener.maintenance(maintenance, popMaintenance));
  }

  @Override
  public void serverDied(String server) {
    guard(() -> listener.serverDied(server));
  }

  long failures() {
    return failures.count();
  }

  private void guard(Runnable call) {
    failures.guard(call);
  }
}
