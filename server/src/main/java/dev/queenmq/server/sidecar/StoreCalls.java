package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Calls of the store that are not collected with others. They run on the right event loop, are
 * rejected while the broker stops, and fail with {@code BrokerException}s.
 */
interface StoreCalls {
  /** Calls the store of the sidecar that owns a queue, which remembers what was appended there. */
  <T> Future<T> of(String queue, Function<MessageStore, Future<T>> call);

  /** Calls the store of the caller's own sidecar. */
  <T> Future<T> near(Function<MessageStore, Future<T>> call);
}
