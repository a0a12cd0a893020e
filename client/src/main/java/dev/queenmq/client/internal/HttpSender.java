package dev.queenmq.client.internal;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests by {@code java.net.http}, in the cheaper of two ways.
 *
 * <p>{@code sendAsync} completes its futures in the default pool of {@link CompletableFuture}. On a
 * machine with one or two processors that is not a pool: each request starts a new thread. There,
 * and for short requests elsewhere, it costs less to wait for the answer on a thread of our own
 * that is used again. Requests that wait at the broker, and those beyond a limit, hold no thread.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpSender implements AutoCloseable {
  /** Requests that hold a thread at the same time. */
  private static final int MOST_BLOCKED = 256;

  private static final int IDLE_SECONDS = 10;

  private final HttpClient http;
  private final Semaphore mayBlock = new Semaphore(MOST_BLOCKED);
  private final AtomicInteger count = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          // A thread is free a moment after its request.
          2 * MOST_BLOCKED,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          this::newThread);

  HttpSender(HttpClient http) {
    this.http = http;
  }

  private Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "queen-http-" + count.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Sends a request. The future ends the exchange when it is cancelled.
   *
   * @param waits whether the broker will probably let us wait for the answer
   * @param body what reads the answer
   */
  CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, boolean waits, HttpResponse.BodyHandler<byte[]> body) {
    if (!waits && mayBlock.tryAcquire()) {
      Exchange exchange = new Exchange(request, body);
      if (exchange.begin()) {
        return exchange;
      }
    }
    return http.sendAsync(request, body);
  }

  /** Runs a task on another thread, where it may wait. */
  void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      // Very many wait already, or the client is closed.
      CompletableFuture.runAsync(task);
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /** An exchange that holds a thread. */
  private final class Exchange extends CompletableFuture<HttpResponse<byte[]>> {
    private final HttpRequest request;
    private final HttpResponse.BodyHandler<byte[]> body;
    private volatile @Nullable Future<?> running;

    Exchange(HttpRequest request, HttpResponse.BodyHandler<byte[]> body) {
      this.request = request;
      this.body = body;
    }

    boolean begin() {
      Future<?> task;
      try {
        task = threads.submit(this::run);
      } catch (RejectedExecutionException e) {
        mayBlock.release();
        return false;
      }
      running = task;
      // Not by the task, which does not run if it is cancelled before.
      whenComplete((answer, failure) -> mayBlock.release());
      if (isCancelled()) {
        task.cancel(true);
      }
      return true;
    }

    private void run() {
      HttpResponse<byte[]> answer;
      try {
        answer = http.send(request, body);
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        completeExceptionally(e);
        return;
      }
      complete(answer);
    }

    /** Interrupts the thread only while it waits, not while it passes the answer on. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      Future<?> task = running;
      if (cancelled && task != null) {
        task.cancel(true);
      }
      return cancelled;
    }
  }
}
