package dev.queenmq.server.sharedstate;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Surroundings for tests: a map for a database. */
final class TestSurroundings {

  private TestSurroundings() {}

  static Environment of(
      Map<String, Long> database, SharedStateListener listener, LongSupplier clock) {
    return new Environment(
        () -> CompletableFuture.completedFuture(Map.copyOf(database)),
        () ->
            CompletableFuture.completedFuture(
                new MaintenanceFlags.Flags(Optional.empty(), Optional.empty())),
        listener,
        clock);
  }
}
