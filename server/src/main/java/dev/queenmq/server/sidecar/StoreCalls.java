package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Calls of the store that are not collected with others. They run on the right event loop, are
 * rejected while the broker stops, and fail with {@code BrokerException}s.
 */
interface StoreCalls {
  /** By the sidecar that a queue belongs to, which remembers what was appended there. */
  <T> Future<T> of(String queue, Function<MessageStore, Future<T>> call);

  /** By the sidecar of the caller. */
  <T> Future<T> near(Function<MessageStore, Future<T>> call);
}
