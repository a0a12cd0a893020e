package dev.queenmq.server.sidecar.waiting;

import java.util.Optional;
import java.util.UUID;

/** Hints of a broker that has heard nothing. */
final class NoHints implements Hints {
  @Override
  public boolean leasedElsewhere(UUID partitionId, String group) {
    return false;
  }

  @Override
  public Optional<UUID> partitionId(String queue, String name) {
    return Optional.empty();
  }
}
