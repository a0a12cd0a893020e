package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import java.util.function.IntSupplier;

/**
 * The event loop and the store of one sidecar.
 *
 * @param context its event loop
 * @param thread that runs it
 * @param store on its connections
 * @param slots its connections
 * @param calls how many calls may be under way on them
 * @param busy how many are; may be asked by any thread
 */
public record WorkerContext(
    Context context, Thread thread, MessageStore store, int slots, int calls, IntSupplier busy) {}
