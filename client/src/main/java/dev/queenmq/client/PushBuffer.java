package dev.queenmq.client;

import dev.queenmq.client.internal.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects messages of any queues and partitions and pushes them together: many times the
 * throughput of single pushes, in the order in which they came.
 *
 * <p>One request is under way at a time; what comes meanwhile is the next one. While no broker
 * answers, the buffer keeps what it has and tries again without end, so that it fills up and slows
 * down or fails its callers. A message that the broker refuses fails alone. Safe for several
 * threads.
 *
 * <pre>{@code
 * try (PushBuffer buffer = client.buffer(BufferOptions.standard())) {
 *   for (Order order : orders) {
 *     buffer.push(client.queue("orders").partition(order.customer()), order);
 *   }
 * }
 * }</pre>
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
public final class PushBuffer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PushBuffer.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  private record Entry(Calls.Item item, CompletableFuture<PushResult> result, long since) {}

  private final Calls calls;
  private final ScheduledExecutorService timer;
  private final BufferOptions options;
  private final int maxCount;
  private final int maxBytes;
  private final RetryPolicy retry;
  private final Consumer<PushBuffer> whenClosed;

  private final Object lock = new Object();
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private List<Entry> underWay = List.of();
  private long bytes;
  private int count;
  private boolean urgent;
  private boolean timerSet;
  private boolean closed;
  private boolean abandoned;
  private int failures;

  PushBuffer(
      Calls calls,
      ScheduledExecutorService timer,
      BufferOptions options,
      int maxCount,
      int maxBytes,
      RetryPolicy retry,
      Consumer<PushBuffer> whenClosed) {
    this.calls = calls;
    this.timer = timer;
    this.options = options;
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
    this.retry = retry;
    this.whenClosed = whenClosed;
  }

  /**
   * Adds a message.
   *
   * @param to a queue or partition
   * @param payload as for {@link QueueRef#push}
   * @return completes when the broker has it, exceptionally if it refused it
   * @throws BufferFullException if there is no room, after waiting as the options say
   * @throws IllegalStateException if the buffer is closed
   */
  public CompletableFuture<PushResult> push(QueueRef to, @Nullable Object payload) {
    Calls.Item item = to.item(payload);
    Entry entry = new Entry(item, new CompletableFuture<>(), System.nanoTime());
    synchronized (lock) {
      awaitRoom(item.bytes());
      waiting.add(entry);
      count++;
      bytes += item.bytes();
    }
    pump();
    return entry.result();
  }

  /** Under the lock. */
  private void awaitRoom(int size) {
    long end = System.nanoTime() + options.blockWhenFull().toNanos();
    while (!closed && isFull(size)) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new BufferFullException(
            "the buffer holds " + count + " messages with " + bytes + " bytes");
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BufferFullException("interrupted while waiting for room in the buffer");
      }
    }
    if (closed) {
      throw new IllegalStateException("the buffer is closed");
    }
  }

  /** A message that is larger than the whole buffer goes through alone. */
  private boolean isFull(int size) {
    return count >= options.maxMessages() || (count > 0 && bytes + size > options.maxBytes());
  }

  /**
   * Sends what is there without waiting for more.
   *
   * @return completes when all messages that were added before are answered, whatever the answer
   */
  public CompletableFuture<Void> flush() {
    CompletableFuture<?>[] all;
    synchronized (lock) {
      urgent = true;
      List<CompletableFuture<?>> results = new ArrayList<>();
      underWay.forEach(entry -> results.add(entry.result()));
      waiting.forEach(entry -> results.add(entry.result()));
      all = results.toArray(CompletableFuture[]::new);
    }
    pump();
    return CompletableFuture.allOf(all).handle((done, failure) -> null);
  }

  /**
   * Sends what is left and closes the buffer.
   *
   * @param deadline for the sending
   * @return what could not be sent, in order; it may have reached the broker or not
   */
  public List<UnsentMessage> close(Duration deadline) {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    CompletableFuture<Void> flushed = flush();
    try {
      flushed.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.TimeoutException | java.util.concurrent.ExecutionException e) {
      log.debug("The buffer was not empty at the deadline", e);
    }
    List<Entry> left = new ArrayList<>();
    synchronized (lock) {
      abandoned = true;
      underWay.stream().filter(entry -> !entry.result().isDone()).forEach(left::add);
      left.addAll(waiting);
      waiting.clear();
    }
    whenClosed.accept(this);
    for (Entry entry : left) {
      entry
          .result()
          .completeExceptionally(
              new UnavailableException("the buffer was closed before it was sent", true, null));
    }
    return left.stream()
        .map(
            entry ->
                new UnsentMessage(
                    entry.item().queue(), entry.item().partition(), entry.item().message()))
        .toList();
  }

  /** Sends what is left, for up to 30 seconds, and logs how much could not be sent. */
  @Override
  public void close() {
    List<UnsentMessage> unsent = close(CLOSE_LIMIT);
    if (!unsent.isEmpty()) {
      log.error("{} messages of a push buffer could not be sent", unsent.size());
    }
  }

  /**
   * How many messages it holds.
   *
   * @return those that wait and those under way
   */
  public int size() {
    synchronized (lock) {
      return count;
    }
  }

  private void pump() {
    List<Entry> batch;
    synchronized (lock) {
      batch = next();
      if (batch.isEmpty()) {
        return;
      }
      underWay = batch;
    }
    send(batch);
  }

  /** Under the lock: what should be sent now. */
  private List<Entry> next() {
    if (!underWay.isEmpty() || abandoned) {
      return List.of();
    }
    Entry oldest = waiting.peek();
    if (oldest == null) {
      urgent = false;
      return List.of();
    }
    long age = System.nanoTime() - oldest.since();
    boolean due =
        urgent
            || closed
            || waiting.size() >= maxCount
            || bytes >= maxBytes
            || age >= options.linger().toNanos();
    if (!due) {
      later(options.linger().toNanos() - age);
      return List.of();
    }
    List<Entry> batch = new ArrayList<>();
    long size = 0;
    while (!waiting.isEmpty() && batch.size() < maxCount) {
      long more = waiting.element().item().bytes();
      if (!batch.isEmpty() && size + more > maxBytes) {
        break;
      }
      size += more;
      batch.add(waiting.remove());
    }
    return batch;
  }

  /** Under the lock. */
  private void later(long nanos) {
    if (timerSet) {
      return;
    }
    timerSet = true;
    schedule(
        () -> {
          synchronized (lock) {
            timerSet = false;
          }
          pump();
        },
        nanos);
  }

  private void schedule(Runnable task, long nanos) {
    try {
      timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
    }
  }

  private void send(List<Entry> batch) {
    calls
        .pushOnce(batch.stream().map(Entry::item).toList())
        .whenComplete(
            (results, failure) -> {
              if (failure == null) {
                failures = 0;
                release(batch);
                for (int i = 0; i < batch.size(); i++) {
                  complete(batch.get(i), results.get(i));
                }
                answered();
                return;
              }
              RuntimeException cause = Transport.unwrap(failure);
              if (cause instanceof UnavailableException) {
                again(batch, cause);
              } else if (cause instanceof RejectedException && batch.size() > 1) {
                // One of them is to blame; the others must not suffer.
                singly(batch, 0);
              } else {
                release(batch);
                batch.forEach(entry -> entry.result().completeExceptionally(cause));
                answered();
              }
            });
  }

  private void singly(List<Entry> batch, int next) {
    if (next == batch.size()) {
      answered();
      return;
    }
    Entry entry = batch.get(next);
    calls
        .pushOnce(List.of(entry.item()))
        .whenComplete(
            (results, failure) -> {
              if (failure == null) {
                release(List.of(entry));
                complete(entry, results.get(0));
              } else {
                RuntimeException cause = Transport.unwrap(failure);
                if (cause instanceof UnavailableException && !isAbandoned()) {
                  schedule(() -> singly(batch, next), retry.maxDelay().toNanos());
                  return;
                }
                release(List.of(entry));
                entry.result().completeExceptionally(cause);
              }
              singly(batch, next + 1);
            });
  }

  private void again(List<Entry> batch, RuntimeException why) {
    if (isAbandoned()) {
      release(batch);
      batch.forEach(entry -> entry.result().completeExceptionally(why));
      answered();
      return;
    }
    failures++;
    log.warn("Cannot push {} messages, trying again: {}", batch.size(), why.getMessage());
    schedule(() -> send(batch), retry.delay(failures, 1).toNanos());
  }

  private boolean isAbandoned() {
    synchronized (lock) {
      return abandoned;
    }
  }

  private static void complete(Entry entry, PushResult result) {
    if (result.isAccepted()) {
      entry.result().complete(result);
    } else {
      entry
          .result()
          .completeExceptionally(
              new RejectedException(201, result.error() == null ? "failed" : result.error()));
    }
  }

  /** Makes room, before callers get the answers: then the size is what they expect. */
  private void release(List<Entry> entries) {
    synchronized (lock) {
      count -= entries.size();
      for (Entry entry : entries) {
        bytes -= entry.item().bytes();
      }
      lock.notifyAll();
    }
  }

  private void answered() {
    synchronized (lock) {
      underWay = List.of();
    }
    pump();
  }
}
