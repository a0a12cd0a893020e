package dev.queenmq.server.sharedstate;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it is told. */
public final class RecordingListener implements SharedStateListener {
  private final List<String> heard = new CopyOnWriteArrayList<>();

  /** What was told so far, one line each. */
  public List<String> heard() {
    return heard;
  }

  @Override
  public void messageAvailable(String queue, String partition, Optional<UUID> partitionId) {
    heard.add("available " + queue + "/" + partition + partitionId.map(id -> " " + id).orElse(""));
  }

  @Override
  public void partitionFree(String queue, String partition, UUID partitionId, String group) {
    heard.add("free " + queue + "/" + partition + " for " + group);
  }

  @Override
  public void groupMoved(String queue, String group) {
    heard.add("moved " + group + " on " + queue);
  }

  @Override
  public void queueChanged(String queue) {
    heard.add("changed " + queue);
  }

  @Override
  public void queueDeleted(String queue) {
    heard.add("deleted " + queue);
  }

  @Override
  public void partitionDeleted(String queue, String partition) {
    heard.add("deleted " + queue + "/" + partition);
  }

  @Override
  public void maintenance(boolean maintenance, boolean popMaintenance) {
    heard.add("maintenance " + maintenance + " " + popMaintenance);
  }

  @Override
  public void serverDied(String server) {
    heard.add("died " + server);
  }
}
