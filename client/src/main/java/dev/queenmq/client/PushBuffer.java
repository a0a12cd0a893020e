package dev.queenmq.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>What you attach to a result runs on a thread of the client. It may push, flush and close: the
 * next request is sent before callers get their answers, and if a callback blocks, another thread
 * answers the rest. A message counts as held until its caller gets the answer, so that slow
 * callbacks slow down the callers of {@link #push} too.
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

  /** Waking the callers that wait for room costs more than a message, so not after each. */
  private static final int WAKE_EVERY = 64;

  private record Entry(Calls.Item item, CompletableFuture<PushResult> result, long since) {}

  private final Calls calls;
  private final ScheduledExecutorService timer;
  private final Executor threads;
  private final BufferOptions options;
  private final int maxCount;
  private final int maxBytes;
  private final RetryPolicy retry;
  private final Consumer<PushBuffer> whenClosed;

  private final Object lock = new Object();
  private final Deque<Entry> waiting = new ArrayDeque<>();

  /** What was taken from {@link #waiting} together and is not answered by the broker yet. */
  private final Deque<Entry> underWay = new ArrayDeque<>();

  /** Answered by the broker; their callers are getting the answers. */
  private final Set<Answers> answering = new LinkedHashSet<>();

  /** Of all of them. */
  private int count;

  private long bytes;
  private long waitingBytes;
  private int released;
  private boolean urgent;
  private boolean timerSet;
  private boolean closed;
  private boolean abandoned;
  private int failures;

  PushBuffer(
      Calls calls,
      ScheduledExecutorService timer,
      Executor threads,
      BufferOptions options,
      int maxCount,
      int maxBytes,
      RetryPolicy retry,
      Consumer<PushBuffer> whenClosed) {
    this.calls = calls;
    this.timer = timer;
    this.threads = threads;
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
      waitingBytes += item.bytes();
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
      answering.forEach(each -> each.entries.forEach(entry -> results.add(entry.result())));
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
   * @param deadline for the sending; more than a hundred years count as a hundred years
   * @return what could not be sent, in order; it may have reached the broker or not
   */
  public List<UnsentMessage> close(Duration deadline) {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    CompletableFuture<Void> flushed = flush();
    try {
      flushed.get(RetryPolicy.capped(deadline).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.TimeoutException | java.util.concurrent.ExecutionException e) {
      log.debug("The buffer was not empty at the deadline", e);
    }
    List<Entry> left = new ArrayList<>();
    Answers answers;
    synchronized (lock) {
      abandoned = true;
      left.addAll(underWay);
      left.addAll(waiting);
      underWay.clear();
      waiting.clear();
      waitingBytes = 0;
      answers =
          new Answers(
              left,
              List.of(),
              new UnavailableException("the buffer was closed before it was sent", true, null));
      if (!left.isEmpty()) {
        answering.add(answers);
      }
    }
    whenClosed.accept(this);
    answers.give();
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
   * @return those that wait, those under way, and those whose callers have no answer yet
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
      underWay.addAll(batch);
    }
    send(new ArrayDeque<>(List.of(batch)));
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
            || waitingBytes >= maxBytes
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
    waitingBytes -= size;
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

  /** The timer has one thread, on which no callback of a caller may run. */
  private void schedule(Runnable task, long nanos) {
    try {
      timer.schedule(() -> elsewhere(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
    }
  }

  private void elsewhere(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
    }
  }

  /** Sends the first of these requests, then the others in their order, then what waits. */
  private void send(Deque<List<Entry>> requests) {
    if (isAbandoned()) {
      return;
    }
    List<Entry> request = requests.element();
    CompletableFuture<List<PushResult>> sent;
    try {
      sent = calls.pushOnce(request.stream().map(Entry::item).toList());
    } catch (RuntimeException | Error e) {
      sent = CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (results, failure) -> {
          if (failure == null) {
            answered(requests, results, null);
            return;
          }
          Throwable cause = cause(failure);
          if (cause instanceof UnavailableException) {
            again(requests, cause);
          } else if (cause instanceof RejectedException && request.size() > 1) {
            // One of them is to blame; the others must not suffer.
            requests.remove();
            for (int i = request.size() - 1; i >= 0; i--) {
              requests.addFirst(List.of(request.get(i)));
            }
            send(requests);
          } else {
            answered(requests, List.of(), cause);
          }
        });
  }

  /** An error too: it must not be thrown here, or nothing would be sent any more. */
  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void again(Deque<List<Entry>> requests, Throwable why) {
    int times;
    synchronized (lock) {
      if (abandoned) {
        return;
      }
      failures++;
      times = failures;
    }
    log.warn(
        "Cannot push {} messages, trying again: {}", requests.element().size(), why.getMessage());
    schedule(() -> send(requests), retry.delay(times, 1).toNanos());
  }

  /** The next request goes first: a callback may wait for it. */
  private void answered(
      Deque<List<Entry>> requests, List<PushResult> results, @Nullable Throwable failure) {
    List<Entry> request = requests.remove();
    Answers answers = new Answers(request, results, failure);
    synchronized (lock) {
      if (abandoned) {
        // The callers have been told that it was not sent.
        return;
      }
      failures = 0;
      for (int i = 0; i < request.size(); i++) {
        underWay.remove();
      }
      answering.add(answers);
    }
    if (requests.isEmpty()) {
      pump();
    } else {
      send(requests);
    }
    answers.give();
  }

  private boolean isAbandoned() {
    synchronized (lock) {
      return abandoned;
    }
  }

  /** Makes room, before the caller gets the answer: then the size is what it expects. */
  private void release(Entry entry) {
    synchronized (lock) {
      count--;
      bytes -= entry.item().bytes();
      released++;
      boolean isLast = count == waiting.size() + underWay.size();
      if (isLast || released >= WAKE_EVERY) {
        released = 0;
        lock.notifyAll();
      }
    }
  }

  /** What the broker answered to a request, or why it did not, until all callers have it. */
  private final class Answers {
    private final List<Entry> entries;
    private final List<PushResult> results;
    private final @Nullable Throwable failure;
    private final AtomicInteger given = new AtomicInteger();

    Answers(List<Entry> entries, List<PushResult> results, @Nullable Throwable failure) {
      this.entries = entries;
      this.results = results;
      this.failure = failure;
    }

    void give() {
      new AnswerDelivery(entries.size(), this::give, timer, threads).give();
    }

    private void give(int number) {
      Entry entry = entries.get(number);
      release(entry);
      if (failure == null) {
        complete(entry, results.get(number));
      } else {
        entry.result().completeExceptionally(failure);
      }
      if (given.incrementAndGet() == entries.size()) {
        synchronized (lock) {
          answering.remove(this);
        }
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
  }
}
