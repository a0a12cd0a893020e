package dev.queenmq.client;

import com.fasterxml.jackson.databind.JavaType;
import dev.queenmq.client.internal.Listeners;
import dev.queenmq.client.internal.PopAnswer;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Response;
import dev.queenmq.client.internal.consumer.Action;
import dev.queenmq.client.internal.consumer.ConsumerCore;
import dev.queenmq.client.internal.consumer.ConsumerLimits;
import dev.queenmq.client.internal.consumer.Delivery;
import dev.queenmq.client.internal.consumer.Disposition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link ConsumerCore}: carries out its actions, on threads and over HTTP, and
 * reports the results to it. It decides nothing by itself.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class RunningConsumer<T> implements QueenConsumer {
  private static final Logger log = LoggerFactory.getLogger(RunningConsumer.class);
  private static final Duration WARN_EVERY = Duration.ofSeconds(5);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  /** How long the answer of a pop may take that is to end. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** How often the broker is asked to end a pop that it does not know. */
  private static final int MOST_ENDS = 3;

  private static final Duration BETWEEN_ENDS = Duration.ofMillis(200);

  /** An empty answer that comes sooner than this part of the long poll was no wait. */
  private static final int SHORT_WAIT = 4;

  private final Calls calls;
  private final ScheduledExecutorService timer;
  private final Executor threads;
  private final Calls.Source source;
  private final JavaType type;
  private final PopOptions options;
  private final Handling<T> handling;
  private final ConsumerCore<Message<T>> core;
  private final Object lock = new Object();
  private final long origin = System.nanoTime();
  private final Map<Long, Calls.WaitingPop> polls = new ConcurrentHashMap<>();
  private final Set<Long> ending = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private volatile boolean stopping;
  private @Nullable ScheduledFuture<?> wake;
  private long wakeAt = Long.MAX_VALUE;
  private final Warnings brokerWarnings = new Warnings();
  private final Warnings handlerWarnings = new Warnings();
  private volatile boolean abandoned;

  RunningConsumer(
      Calls calls,
      ScheduledExecutorService timer,
      Executor threads,
      Calls.Source source,
      JavaType type,
      PopOptions options,
      ConsumerLimits limits,
      Handling<T> handling) {
    this.calls = calls;
    this.timer = timer;
    this.threads = threads;
    this.source = source;
    this.type = type;
    this.options = options;
    this.handling = handling;
    this.core = new ConsumerCore<>(limits);
  }

  void begin() {
    tell(now -> core.wake(now));
  }

  CompletableFuture<Void> whenStopped() {
    return stopped;
  }

  // Events to the core, and its actions

  private interface Event<M> {
    List<Action<M>> apply(long now);
  }

  private void tell(Event<Message<T>> event) {
    List<Action<Message<T>>> actions;
    synchronized (lock) {
      actions = event.apply(now());
      scheduleWake();
    }
    for (Action<Message<T>> action : actions) {
      try {
        act(action);
      } catch (RuntimeException | Error e) {
        // The core has decided on the other actions already, and waits for their results.
        log.error(
            "{} of the consumer of {} failed", action.getClass().getSimpleName(), source.name(), e);
      }
    }
  }

  /** A call that cannot even begin fails like one that gets no answer: the core learns of both. */
  private static <R> CompletableFuture<R> begun(Supplier<CompletableFuture<R>> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private long now() {
    return System.nanoTime() - origin;
  }

  /** Under the lock. */
  private void scheduleWake() {
    long next = core.nextWake();
    if (next == wakeAt && wake != null) {
      return;
    }
    if (wake != null) {
      wake.cancel(false);
      wake = null;
    }
    wakeAt = next;
    if (next != Long.MAX_VALUE) {
      try {
        wake =
            after(
                Math.max(0, next - now()),
                () -> {
                  synchronized (lock) {
                    wake = null;
                  }
                  tell(now -> core.wake(now));
                });
      } catch (RejectedExecutionException e) {
        log.debug("The client is closed", e);
      }
    }
  }

  /**
   * The timer has one thread for the whole client, and only hands the task over: callbacks,
   * interceptors and executors of the application run in it, which may wait.
   */
  private ScheduledFuture<?> after(long nanos, Runnable task) {
    return timer.schedule(() -> handOver(task), nanos, TimeUnit.NANOSECONDS);
  }

  private void handOver(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
      task.run();
    }
  }

  private void act(Action<Message<T>> action) {
    // Written as a chain because switches over types need Java 21.
    if (action instanceof Action.Poll<Message<T>> poll) {
      poll(poll);
    } else if (action instanceof Action.EndPoll<Message<T>> end) {
      // First the note: the pop may be about to be put there.
      ending.add(end.id());
      Calls.WaitingPop waiting = polls.get(end.id());
      if (waiting != null && ending.remove(end.id())) {
        end(waiting, System.nanoTime(), MOST_ENDS);
      }
    } else if (action instanceof Action.Run<Message<T>> run) {
      run(run);
    } else if (action instanceof Action.Ack<Message<T>> ack) {
      ack(ack.dispositions());
    } else if (action instanceof Action.Extend<Message<T>> extend) {
      extend(extend);
    } else if (action instanceof Action.Lost<Message<T>> lost) {
      lost.messages().forEach(message -> message.failSettlement(lost(message)));
    } else if (action instanceof Action.Stopped<Message<T>>) {
      handling.ended();
      stopped.complete(null);
    }
  }

  // Pop

  private void poll(Action.Poll<Message<T>> poll) {
    long begun = System.nanoTime();
    Calls.WaitingPop pop;
    try {
      pop = calls.popOnce(source, options.partitions(poll.partitions()));
    } catch (RuntimeException | Error e) {
      ending.remove(poll.id());
      failed("pop", e);
      tell(now -> core.pollFailed(poll.id(), now));
      return;
    }
    polls.put(poll.id(), pop);
    pop.answer()
        .whenComplete(
            (response, failure) -> {
              polls.remove(poll.id());
              if (failure != null) {
                failed("pop", failure);
                tell(now -> core.pollFailed(poll.id(), now));
                return;
              }
              List<Delivery<Message<T>>> deliveries;
              try {
                deliveries = deliveries(response);
              } catch (RuntimeException e) {
                failed("pop", e);
                tell(now -> core.pollFailed(poll.id(), now));
                return;
              }
              if (!deliveries.isEmpty()) {
                String group = source.groupName();
                Listeners.tell(
                    calls.listeners(),
                    listener -> listener.onReceived(source.name(), group, deliveries.size()));
              }
              boolean waited =
                  System.nanoTime() - begun >= options.longestWait().toNanos() / SHORT_WAIT;
              tell(now -> core.polled(poll.id(), deliveries, waited, now));
            });
    if (ending.remove(poll.id())) {
      end(pop, System.nanoTime(), MOST_ENDS);
    }
  }

  /**
   * Asks the broker to end it, and waits for its answer: it may bring messages. In the end the
   * connection is closed; messages that were on it come again when their lease ends.
   *
   * @param since when it was asked first
   * @param times how often it may say yet that no such pop waits
   */
  private void end(Calls.WaitingPop pop, long since, int times) {
    if (!pop.answer().isDone()) {
      begun(() -> calls.endPop(source, pop))
          .whenComplete((ended, failure) -> ended(pop, since, times, ended, failure));
    }
  }

  private void ended(
      Calls.WaitingPop pop,
      long since,
      int times,
      @Nullable Boolean ended,
      @Nullable Throwable failure) {
    Duration left = ANSWER.minusNanos(System.nanoTime() - since);
    if (ended == null) {
      Throwable cause = cause(Objects.requireNonNull(failure));
      log.debug("Cannot end a pop of {}", source.name(), cause);
      // Nothing is known if there was no answer. A refusal comes again.
      boolean again = cause instanceof UnavailableException && !left.isNegative();
      later(BETWEEN_ENDS, again ? () -> end(pop, since, times) : () -> close(pop));
    } else if (ended || pop.broker().isAnswering()) {
      later(left, () -> close(pop));
    } else if (times > 1) {
      // It has not got the pop yet, or another broker has it.
      later(BETWEEN_ENDS, () -> end(pop, since, times - 1));
    } else {
      later(BETWEEN_ENDS, () -> close(pop));
    }
  }

  private static void close(Calls.WaitingPop pop) {
    pop.answer().cancel(true);
  }

  /** At once if the client is closed. */
  private void later(Duration when, Runnable task) {
    try {
      after(when.toNanos(), task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  private List<Delivery<Message<T>>> deliveries(Response response) {
    Instant now = Instant.now();
    List<Delivery<Message<T>>> deliveries = new ArrayList<>();
    for (PopAnswer.Received received : PopAnswer.read(response.bytes(), source.name())) {
      Message<T> message = new Message<>(received, calls.payloads(), type, new DeferredActions());
      Instant expires = received.leaseExpiresAt();
      deliveries.add(
          new Delivery<>(
              message,
              received.partitionId(),
              received.leaseId(),
              expires == null ? UNKNOWN_LEASE : Duration.between(now, expires)));
    }
    return deliveries;
  }

  /** Of a broker that does not say how long it is: the shortest that is usual. */
  private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(60);

  // Handle

  private void run(Action.Run<Message<T>> run) {
    List<Message<T>> messages = run.messages();
    messages.forEach(Message::reopen);
    long begun = System.nanoTime();
    CompletableFuture<?> done;
    try {
      done = handling.handle(messages, body -> traced(messages, body));
    } catch (RuntimeException | Error e) {
      done = CompletableFuture.failedFuture(e);
    }
    done.whenComplete(
        (result, failure) -> {
          Throwable error = failure == null ? null : cause(failure);
          Duration took = Duration.ofNanos(System.nanoTime() - begun);
          if (error != null) {
            handlerFailed(messages.get(0), error);
          }
          Listeners.tell(
              calls.listeners(),
              listener ->
                  listener.onHandled(
                      source.name(), source.groupName(), messages.size(), took, error));
          List<Action.Settled<Message<T>>> dispositions = dispositions(messages, error);
          tell(now -> core.handled(run.id(), dispositions, now));
        });
  }

  private void traced(List<Message<T>> messages, Handling.Around.Body body) throws Exception {
    Tracing tracing = calls.tracing();
    if (tracing == null) {
      body.run();
      return;
    }
    try (Tracing.Span span = tracing.handling(messages)) {
      try {
        body.run();
      } catch (Throwable e) {
        span.failed(e);
        throw e;
      }
    }
  }

  /**
   * The dispositions to send: those that the handler noted; for the rest, done if it returned. If
   * it threw, the first message that it left open failed, and those behind it come again with it.
   */
  private List<Action.Settled<Message<T>>> dispositions(
      List<Message<T>> messages, @Nullable Throwable error) {
    List<Action.Settled<Message<T>>> dispositions = new ArrayList<>();
    for (Message<T> message : messages) {
      Disposition disposition = message.settled();
      if (disposition == null) {
        disposition = error == null ? Disposition.completed() : afterError(error);
        if (!message.trySettle(disposition)) {
          disposition = message.settled();
        }
      }
      if (disposition == null) {
        continue;
      }
      dispositions.add(new Action.Settled<>(message, disposition));
      if (disposition.status().endsLease()) {
        break;
      }
    }
    return dispositions;
  }

  /** It is not the message's fault when we interrupt its handler or have no thread for it. */
  private Disposition afterError(Throwable error) {
    return abandoned || error instanceof RejectedExecutionException
        ? new Disposition(Disposition.Status.RETRY, null)
        : new Disposition(Disposition.Status.FAILED, describe(error));
  }

  private static final int LONGEST_ERROR = 2_000;

  private static String describe(Throwable error) {
    String text = error.toString();
    if (text.length() <= LONGEST_ERROR) {
      return text;
    }
    boolean inPair = Character.isHighSurrogate(text.charAt(LONGEST_ERROR - 1));
    return text.substring(0, inPair ? LONGEST_ERROR - 1 : LONGEST_ERROR);
  }

  // Ack

  private void ack(List<Action.Settled<Message<T>>> dispositions) {
    List<Calls.Acknowledgment> acks = new ArrayList<>();
    for (Action.Settled<Message<T>> each : dispositions) {
      acks.add(new Calls.Acknowledgment(each.message(), each.disposition()));
    }
    begun(() -> calls.ack(source.groupName(), acks, Request.Retry.NEVER))
        .whenComplete(
            (results, failure) -> {
              if (failure != null) {
                failed("ack", failure);
                if (cause(failure) instanceof RejectedException refused && isForItsItems(refused)) {
                  if (acks.size() == 1) {
                    dispositions.get(0).message().failSettlement(refused);
                  }
                  tell(now -> core.ackRefused(now));
                } else {
                  tell(now -> core.ackFailed(now));
                }
                return;
              }
              List<ConsumerCore.Outcome> outcomes = new ArrayList<>();
              for (int i = 0; i < results.size(); i++) {
                AckResult result = results.get(i);
                Message<T> message = dispositions.get(i).message();
                outcomes.add(outcome(result));
                if (result.success()) {
                  message.completeSettlement();
                } else {
                  log.debug("{} was not acked: {}", message, result.error());
                  message.failSettlement(Calls.toException(result));
                }
              }
              tell(now -> core.acked(outcomes, now));
            });
  }

  /** Another request, with fewer or other acks, may be taken. */
  private static boolean isForItsItems(RejectedException refused) {
    return refused.status() == 400 || refused.status() == 413;
  }

  private static ConsumerCore.Outcome outcome(AckResult result) {
    if (Calls.isLeaseLost(result)) {
      return ConsumerCore.Outcome.LOST;
    }
    return result.leaseReleased() ? ConsumerCore.Outcome.RELEASED : ConsumerCore.Outcome.HELD;
  }

  private void extend(Action.Extend<Message<T>> extend) {
    begun(() -> calls.extend(extend.leaseId(), extend.seconds(), Request.Retry.NEVER))
        .whenComplete(
            (expires, failure) -> {
              if (failure == null) {
                tell(now -> core.extended(extend.leaseId(), extend.seconds(), now));
                return;
              }
              boolean lost = cause(failure) instanceof LeaseLostException;
              if (lost) {
                log.warn("A lease on {} is lost; its messages are delivered again", source.name());
              } else {
                failed("extend", failure);
              }
              tell(now -> core.extendFailed(extend.leaseId(), lost, now));
            });
  }

  private void failed(String what, Throwable failure) {
    if (stopping && what.equals("pop")) {
      return;
    }
    Throwable cause = cause(failure);
    if (brokerWarnings.mayWarn()) {
      log.warn("Cannot {} {}, trying again: {}", what, source.name(), cause.toString());
    } else {
      log.debug("Cannot {} {}, trying again: {}", what, source.name(), cause.toString());
    }
    Listeners.tell(
        calls.listeners(),
        listener -> listener.onConsumerError(source.name(), source.groupName(), cause));
  }

  /**
   * Without a line in the log, a handler that always throws looks like a queue without messages.
   */
  private void handlerFailed(Message<T> message, Throwable error) {
    if (!abandoned && handlerWarnings.mayWarn()) {
      log.warn("The handler failed on {}, attempt {}", message, message.attempt(), error);
    } else {
      log.debug("The handler failed on {}, attempt {}", message, message.attempt(), error);
    }
  }

  /** Many pops fail together when a broker goes away; one line in a while is enough. */
  private final class Warnings {
    private long notBefore;

    boolean mayWarn() {
      synchronized (lock) {
        long now = now();
        if (now < notBefore) {
          return false;
        }
        notBefore = now + WARN_EVERY.toNanos();
        return true;
      }
    }
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof java.util.concurrent.CompletionException
            || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static LeaseLostException lost(Message<?> message) {
    return new LeaseLostException(message + " is no longer held; it is delivered again");
  }

  // Stop

  @Override
  public CompletableFuture<Void> stopAsync() {
    stopping = true;
    tell(now -> core.stop(now));
    // Not before: the core would pop again what is given back.
    handling.stopping();
    return stopped.thenApply(Function.identity());
  }

  @Override
  public boolean stop(Duration deadline) {
    stopAsync();
    if (isCalledByItsHandler()) {
      // It would wait for itself.
      return false;
    }
    try {
      stopped.get(RetryPolicy.capped(deadline).toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      abandon();
      return false;
    } catch (InterruptedException e) {
      abandon();
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether this thread runs one of its handlers. */
  boolean isCalledByItsHandler() {
    return handling.isCalling();
  }

  private void abandon() {
    abandoned = true;
    polls.values().forEach(each -> each.answer().cancel(true));
    handling.interrupt();
    handling.ended();
  }

  @Override
  public void close() {
    stop(CLOSE_LIMIT);
  }

  @Override
  public boolean isRunning() {
    return !stopping;
  }

  @Override
  public int inFlight() {
    synchronized (lock) {
      return core.runningHandlers();
    }
  }

  /** Settling is noted, and sent to the broker when the handler has returned. */
  private final class DeferredActions implements Message.Actions {
    @Override
    public CompletableFuture<Void> settle(Message<?> message, Disposition disposition) {
      return message.settlement();
    }

    @Override
    public boolean isDeferred() {
      return true;
    }

    @Override
    public CompletableFuture<Instant> extend(Message<?> message, Duration by) {
      return calls.extend(Calls.leaseOf(message), Calls.toSeconds(by), Request.Retry.ALWAYS);
    }

    @Override
    public CompletableFuture<Void> trace(Message<?> message, TraceEvent event) {
      return calls.trace(message, event);
    }
  }
}
