package dev.queenmq.server;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Ends the process in good order when SIGTERM or SIGINT comes. */
final class SignalStop {

  /** For the stop itself. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(9);

  private final Thread hook = new Thread(this::run, "stop");
  private final Supplier<Future<Void>> stop;
  private final Duration limit;

  /**
   * A stop that is not installed yet.
   *
   * @param drain part of the stop that takes this long in any case
   */
  SignalStop(Supplier<Future<Void>> stop, Duration drain) {
    this.stop = stop;
    limit = LONGEST_STOP.plus(drain);
  }

  void install() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Takes the hook away; false when the end has already begun. */
  boolean remove() {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private void run() {
    boolean clean = false;
    try {
      stop.get()
          .toCompletionStage()
          .toCompletableFuture()
          .get(limit.toMillis(), TimeUnit.MILLISECONDS);
      clean = true;
      System.out.println("Stopped");
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      System.err.println("queen: did not stop in good order: " + e);
    }
    // The JVM would answer a signal with 128 + its number, but an orderly stop is a success.
    Runtime.getRuntime().halt(clean ? 0 : 1);
  }
}
