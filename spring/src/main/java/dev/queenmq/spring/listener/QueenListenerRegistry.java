package dev.queenmq.spring.listener;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * All listeners of an application, which start and stop with its context. They start after
 * everything else and stop before everything else: while a handler finishes, the web server and all
 * beans still work. Listeners can also be stopped and started one by one, by their id. While one
 * runs, the JVM does not end by itself.
 */
public final class QueenListenerRegistry implements SmartLifecycle {

  /** Web servers are stopped from {@code DEFAULT_PHASE - 1024} downwards, after us. */
  private static final int PHASE = DEFAULT_PHASE - 100;

  private static final Logger log = LoggerFactory.getLogger(QueenListenerRegistry.class);

  private final Supplier<QueenClient> client;
  private final Duration shutdownTimeout;
  private final Executor stopping;
  private final Map<String, Listener> listeners = new LinkedHashMap<>();
  private final Map<String, QueenConsumer> running = new LinkedHashMap<>();
  private final KeepAlive keepAlive = new KeepAlive();
  private boolean isRunning;

  /**
   * An empty registry.
   *
   * @param client is asked for when the first listener starts
   * @param shutdownTimeout how long handlers may take to finish when the context closes
   */
  public QueenListenerRegistry(Supplier<QueenClient> client, Duration shutdownTimeout) {
    this.client = client;
    this.shutdownTimeout = shutdownTimeout;
    this.stopping = task -> new Thread(task, "queen-listeners-stop").start();
  }

  synchronized void register(Listener listener) {
    if (listeners.putIfAbsent(listener.id(), listener) != null) {
      throw new IllegalStateException(
          "two @QueenListener methods have the id " + listener.id() + ": set one of yours");
    }
    if (isRunning && listener.settings().autoStartup()) {
      // A bean that was made late.
      begin(listener);
    }
  }

  /**
   * The ids of all listeners.
   *
   * @return in the order in which their beans were made
   */
  public synchronized Set<String> ids() {
    return Set.copyOf(listeners.keySet());
  }

  /**
   * Starts a listener, if it does not run.
   *
   * @param id of the listener
   */
  public synchronized void start(String id) {
    begin(known(id));
  }

  /**
   * Stops a listener and waits until its handlers have finished.
   *
   * @param id of the listener
   * @return whether all handlers finished in time
   */
  public boolean stop(String id) {
    QueenConsumer consumer;
    synchronized (this) {
      known(id);
      consumer = running.remove(id);
    }
    if (consumer == null) {
      return true;
    }
    // If a handler of this consumer calls this, it still works when stop returns.
    var unused =
        consumer.stopAsync().whenComplete((stopped, failure) -> keepAlive.release(consumer));
    return consumer.stop(shutdownTimeout);
  }

  /**
   * Whether a listener takes messages.
   *
   * @param id of the listener
   * @return true while it does
   */
  public synchronized boolean isRunning(String id) {
    QueenConsumer consumer = running.get(known(id).id());
    return consumer != null && consumer.isRunning();
  }

  private Listener known(String id) {
    Listener listener = listeners.get(id);
    if (listener == null) {
      throw new IllegalArgumentException(
          "there is no listener " + id + ", only " + listeners.keySet());
    }
    return listener;
  }

  private void begin(Listener listener) {
    if (!running.containsKey(listener.id())) {
      QueenConsumer consumer = listener.start(client.get());
      running.put(listener.id(), consumer);
      keepAlive.hold(consumer);
      log.debug("Listener {} consumes {}", listener.id(), listener.queue());
    }
  }

  // The context's lifecycle

  @Override
  public synchronized void start() {
    isRunning = true;
    for (Listener listener : listeners.values()) {
      if (listener.settings().autoStartup()) {
        begin(listener);
      }
    }
  }

  @Override
  public void stop() {
    stopAll();
  }

  @Override
  public void stop(Runnable callback) {
    // Other beans of the same phase may stop at the same time.
    stopping.execute(
        () -> {
          try {
            stopAll();
          } finally {
            callback.run();
          }
        });
  }

  private void stopAll() {
    Map<String, QueenConsumer> consumers;
    synchronized (this) {
      isRunning = false;
      consumers = new LinkedHashMap<>(running);
      running.clear();
    }
    long end = System.nanoTime() + shutdownTimeout.toNanos();
    List<CompletableFuture<Void>> stopped = new ArrayList<>();
    consumers.values().forEach(consumer -> stopped.add(consumer.stopAsync()));
    consumers.forEach(
        (id, consumer) -> {
          Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
          if (!consumer.stop(left)) {
            log.warn(
                "Listener {} did not finish within {}; what it holds is delivered again",
                id,
                shutdownTimeout);
          }
        });
    synchronized (this) {
      if (running.isEmpty()) {
        // Also of those that did not finish: they must not keep the application from its end.
        keepAlive.releaseAll();
      }
    }
    log.debug("{} listeners have stopped", stopped.size());
  }

  @Override
  public synchronized boolean isRunning() {
    return isRunning;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
