package dev.queenmq.client;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * How a consumer has messages handled.
 *
 * @param <T> the payload
 */
interface Handling<T> {

  /** Has them handled; completes when they are, exceptionally if that failed. */
  CompletableFuture<?> handle(List<Message<T>> messages, Around around);

  /** The consumer stops: what no handler has begun with is given back. */
  default void stopping() {}

  /** Ends what is still at work. */
  void interrupt();

  /** Whether a handler is what calls this: it must not wait for the end of the consumer. */
  default boolean isCalling() {
    return false;
  }

  /** The consumer has ended. */
  default void ended() {}

  /** What is done around a handler on its thread. */
  interface Around {
    void call(Body body) throws Exception;

    /** The handler. */
    interface Body {
      void run() throws Exception;
    }
  }

  /** A handler that keeps a thread until it is done. */
  final class Blocking<T> implements Handling<T> {
    private final HandlerThreads threads;
    private final BatchHandler<T> handler;

    Blocking(Executor executor, BatchHandler<T> handler) {
      this.threads = new HandlerThreads(executor);
      this.handler = handler;
    }

    @Override
    public CompletableFuture<?> handle(List<Message<T>> messages, Around around) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      threads.execute(
          done,
          () -> {
            around.call(() -> handler.handle(messages));
            done.complete(true);
          });
      return done;
    }

    @Override
    public void interrupt() {
      threads.interrupt();
    }

    @Override
    public boolean isCalling() {
      return threads.isCurrent();
    }
  }

  /** A handler that gives its thread back at once. */
  final class Async<T> implements Handling<T> {
    private final HandlerThreads threads;
    private final AsyncMessageHandler<T> handler;

    Async(Executor executor, AsyncMessageHandler<T> handler) {
      this.threads = new HandlerThreads(executor);
      this.handler = handler;
    }

    @Override
    public CompletableFuture<?> handle(List<Message<T>> messages, Around around) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      threads.execute(
          done,
          () ->
              around.call(
                  () ->
                      handler
                          .handle(messages.get(0))
                          .whenComplete(
                              (result, failure) -> {
                                if (failure == null) {
                                  done.complete(true);
                                } else {
                                  // As it is: the caller unwraps it, be it an exception or an
                                  // error.
                                  done.completeExceptionally(failure);
                                }
                              })));
      return done;
    }

    @Override
    public void interrupt() {
      // No thread of ours is at work.
    }

    @Override
    public boolean isCalling() {
      return threads.isCurrent();
    }
  }

  /** Runs handlers, and knows which threads are inside one. Safe for use by several threads. */
  final class HandlerThreads {
    private final Executor executor;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    HandlerThreads(Executor executor) {
      this.executor = executor;
    }

    /** Runs it on a thread of the executor; fails the future if it throws. */
    void execute(CompletableFuture<?> done, Around.Body body) {
      try {
        executor.execute(() -> run(done, body));
      } catch (OutOfMemoryError e) {
        // The machine has no more threads, which is not the message's fault.
        throw new RejectedExecutionException("no thread for a handler", e);
      }
    }

    private void run(CompletableFuture<?> done, Around.Body body) {
      Thread thread = Thread.currentThread();
      threads.add(thread);
      try {
        body.run();
      } catch (Throwable e) {
        done.completeExceptionally(e);
      } finally {
        threads.remove(thread);
      }
    }

    void interrupt() {
      threads.forEach(Thread::interrupt);
    }

    boolean isCurrent() {
      return threads.contains(Thread.currentThread());
    }
  }
}
