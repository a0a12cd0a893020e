package dev.queenmq.server.auth;

import dev.queenmq.server.config.values.TokenAlgorithm;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Published keys (a JWK set), fetched in the background: at start, periodically, and when a token
 * names an unknown key. At most one fetch is under way, and there is a pause between two of them,
 * whatever tokens come. The last set stays in force until another one was fetched, even one with
 * fewer keys or none: a key that is no longer published was withdrawn. An answer that is not a JWK
 * set changes nothing. Safe for use by several threads.
 */
final class JwksKeys implements KeySource, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JwksKeys.class);

  /**
   * How much, how often.
   *
   * @param pause between two fetches, at least
   */
  record Rules(Duration refresh, Duration pause, Duration timeout, int maxBytes) {}

  private record Held(Jwks keys, int generation) {}

  private final JwksClient client;
  private final Rules rules;
  private final LongSupplier nanoTime;
  private final ScheduledThreadPoolExecutor timer;
  private volatile @Nullable Held held;
  private @Nullable CompletableFuture<Void> underWay;
  private long lastStart;
  private boolean started;

  JwksKeys(URI url, Rules rules, LongSupplier nanoTime) {
    this.client = new JwksClient(url, rules.timeout(), rules.maxBytes());
    this.rules = rules;
    this.nanoTime = nanoTime;
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "queen-token-keys");
              thread.setDaemon(true);
              return thread;
            });
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Begins to fetch; does not wait for anything. */
  void start() {
    fetch(true);
  }

  @Override
  public Found find(TokenAlgorithm algorithm, Optional<String> keyId) {
    @Nullable Held now = held;
    return now == null ? new Found.NotYet() : now.keys().find(algorithm, keyId);
  }

  @Override
  public CompletionStage<Void> lookForMore() {
    return fetch(false);
  }

  @Override
  public int generation() {
    @Nullable Held now = held;
    return now == null ? 0 : now.generation();
  }

  private synchronized CompletionStage<Void> fetch(boolean due) {
    if (underWay != null) {
      return underWay;
    }
    long now = nanoTime.getAsLong();
    if (started && !due && now - lastStart < rules.pause().toNanos()) {
      return CompletableFuture.completedFuture(null);
    }
    started = true;
    lastStart = now;
    CompletableFuture<Void> ended = new CompletableFuture<>();
    underWay = ended;
    var unused = client.fetch().whenComplete((text, failure) -> end(ended, text, failure));
    return ended;
  }

  private void end(
      CompletableFuture<Void> ended, @Nullable String text, @Nullable Throwable failure) {
    boolean good = text != null && take(text);
    if (failure != null) {
      log.warn("Cannot fetch the keys of tokens from {}: {}", client.where(), reason(failure));
    }
    synchronized (this) {
      underWay = null;
      if (!timer.isShutdown()) {
        Duration next = good ? rules.refresh() : rules.pause();
        timer.getQueue().clear();
        var unused = timer.schedule(() -> fetch(true), next.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
    ended.complete(null);
  }

  private boolean take(String text) {
    Optional<Jwks> fetched = Jwks.parse(text);
    if (fetched.isEmpty()) {
      log.warn("What {} answers is no set of keys; the keys stay as they are", client.where());
      return false;
    }
    int count = fetched.get().keys().size();
    @Nullable Held before = held;
    if (before == null || !before.keys().equals(fetched.get())) {
      held = new Held(fetched.get(), before == null ? 1 : before.generation() + 1);
      log.info("Fetched {} keys of tokens from {}", count, client.where());
      if (count == 0) {
        log.warn("{} publishes no key for tokens: all tokens are refused", client.where());
      }
    }
    // A set without keys may be a mistake that is corrected soon.
    return count > 0;
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
