package dev.queenmq.server.sharedstate;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the shared state is given.
 *
 * @param settings reads all queues from the database
 * @param maintenance reads the switches from the database
 * @param format of settings on their way to other brokers
 * @param listener is told what comes in
 * @param clock milliseconds since 1970
 */
public record Surroundings<S>(
    Supplier<CompletionStage<Map<String, Versioned<S>>>> settings,
    Supplier<CompletionStage<MaintenanceFlags.Flags>> maintenance,
    SettingsFormat<S> format,
    SharedStateListener listener,
    LongSupplier clock) {}
