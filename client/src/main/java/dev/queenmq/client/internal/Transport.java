package dev.queenmq.client.internal;

import dev.queenmq.client.QueenException;
import dev.queenmq.client.UnavailableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Sends requests to one of the brokers: chooses it, adds headers and the token, repeats what failed
 * for a passing reason, goes to another broker if one is away.
 *
 * <p>How to call it:
 *
 * <pre>{@code
 * CompletableFuture<QueueList> queues =
 *     transport
 *         .send(Request.get("/api/v1/resources/queues").withQuery("limit", 100))
 *         .thenApply(response -> response.as(QueueList.class));
 * QueueList now = Transport.join(queues);
 * }</pre>
 */
@FunctionalInterface
public interface Transport {

  /**
   * Sends a request.
   *
   * @return completes with an answer of 2xx, or exceptionally with a {@link QueenException}: {@code
   *     RejectedException} for 4xx, {@code UnauthorizedException} for 401 and 403, {@code
   *     UnavailableException} when all attempts failed. Cancelling this very future ends the
   *     request: the connection is closed and nothing is sent any more.
   */
  CompletableFuture<Response> send(Request request);

  /**
   * Which broker requests with this key belong to while all are healthy; always the same if the key
   * has no say in it.
   *
   * @see Request#withAffinity
   */
  default int brokerOf(String affinity) {
    return 0;
  }

  /** Waits for a result; what went wrong is thrown as the exception it is. */
  static <T> T join(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(true);
      throw new UnavailableException("interrupted while waiting for the broker", true, e);
    } catch (CancellationException e) {
      throw new UnavailableException("the call was cancelled", true, e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw unwrap(e);
    }
  }

  /** The exception inside those that futures wrap around it. */
  static RuntimeException unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException
            || cause instanceof java.util.concurrent.ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof RuntimeException runtime) {
      return runtime;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(cause);
  }
}
