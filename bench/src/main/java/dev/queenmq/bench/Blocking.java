package dev.queenmq.bench;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits on threads that are not an event loop. */
public final class Blocking {
  private Blocking() {}

  /** The result; a failure is thrown, wrapped. */
  public static <T> T get(Future<T> future) {
    return call(() -> future.toCompletionStage().toCompletableFuture().get());
  }

  /** The result of a call that may block; a failure is thrown, wrapped. */
  public static <T> T call(Callable<T> call) {
    try {
      return call.call();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Sleeps. */
  public static void sleep(Duration length) {
    call(
        () -> {
          TimeUnit.NANOSECONDS.sleep(length.toNanos());
          return true;
        });
  }

  /** Waits until a condition holds, up to a limit; returns whether it holds. */
  public static boolean await(Duration limit, Duration interval, BooleanSupplier over) {
    long began = System.nanoTime();
    boolean isOver = over.getAsBoolean();
    while (!isOver && System.nanoTime() - began < limit.toNanos()) {
      sleep(interval);
      isOver = over.getAsBoolean();
    }
    return isOver;
  }

  /** Waits until these have ended. */
  public static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      call(
          () -> {
            thread.join();
            return true;
          });
    }
  }
}
