package dev.queenmq.server.store.modeltest;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A lease of the model: what it covers was handed out. */
record ModelLease(UUID id, Instant expiresAt, List<Long> covers) {

  boolean isLive(Instant now) {
    return now.isBefore(expiresAt);
  }

  ModelLease until(Instant later) {
    return new ModelLease(id, later, covers);
  }
}
