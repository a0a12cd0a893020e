package dev.queenmq.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A consumer that runs until it is stopped. Errors of brokers and of handlers do not end it.
 *
 * <p>A stop is graceful: no new messages are taken, messages that no handler has begun with go back
 * to the broker at once, and handlers at work finish and are acked.
 */
public interface QueenConsumer extends AutoCloseable {

  /**
   * Begins to stop.
   *
   * @return completes when nothing is held any more
   */
  CompletableFuture<Void> stopAsync();

  /**
   * Stops, and waits for it. Handlers that are still at work at the deadline are interrupted; what
   * they handle is delivered again when its lease ends.
   *
   * <p>A handler of this consumer may call it too. Then it begins to stop and returns false at
   * once: the handler has to return before the consumer can end.
   *
   * @param deadline how long handlers may take
   * @return whether all of them finished in time
   */
  boolean stop(Duration deadline);

  /** Stops, and waits up to 30 seconds, unless a handler of this consumer calls it. */
  @Override
  void close();

  /**
   * Whether it runs.
   *
   * @return true while it takes messages
   */
  boolean isRunning();

  /**
   * How many handlers are at work now.
   *
   * @return at most the concurrency
   */
  int inFlight();
}
