package dev.queenmq.server.sharedstate;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the shared state is given.
 *
 * @param versions reads the versions of all queues by name from the database
 * @param maintenance reads the switches from the database
 * @param listener receives the events
 * @param clock milliseconds since 1970
 */
public record Environment(
    Supplier<CompletionStage<Map<String, Long>>> versions,
    Supplier<CompletionStage<MaintenanceFlags.Flags>> maintenance,
    SharedStateListener listener,
    LongSupplier clock) {}
