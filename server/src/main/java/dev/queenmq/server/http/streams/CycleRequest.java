package dev.queenmq.server.http.streams;

import dev.queenmq.server.model.streams.Cycle;
import java.util.UUID;

/** A cycle that is well formed. */
public sealed interface CycleRequest {

  /** The broker shall carry it out. */
  record Sent(Cycle cycle) implements CycleRequest {}

  /** It cannot succeed, so the store is not asked. */
  record Unsatisfiable(UUID queryId, UUID partitionId, String error) implements CycleRequest {}
}
