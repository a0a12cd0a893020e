package dev.queenmq.server.http;

import dev.queenmq.server.store.Cycle;
import java.util.UUID;

/** A cycle that is well formed. */
sealed interface CycleRequest {

  /** The broker shall carry it out. */
  record Sent(Cycle cycle) implements CycleRequest {}

  /** It cannot succeed; nobody has to be asked. */
  record Hopeless(UUID queryId, UUID partitionId, String error) implements CycleRequest {}
}
