package dev.queenmq.client;

import dev.queenmq.client.internal.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets pushes of single messages that meet travel in one request.
 *
 * <p>A push is sent at once while fewer than {@link #MOST_REQUESTS} requests of its queue are under
 * way to its broker. One that comes later waits until one of them is answered, and travels with the
 * others that wait, as far as the limits of a request allow. So a push never waits for company,
 * only for its turn, and the more pushes there are, the fewer requests each of them costs. On a
 * small machine a request costs far more than a message: threads that are woken, system calls, the
 * broker's own work. Batches are not gathered: they have divided that cost already, and fewer but
 * larger requests keep the broker less busy.
 *
 * <p>What callers see does not change:
 *
 * <ul>
 *   <li>Pushes travel in the order in which they came. A push that is made after another one was
 *       answered is never before it.
 *   <li>Each push has its own outcome. If the broker refuses a whole request, one push in it may be
 *       to blame: it is sent again in halves, one after the other, until the one is alone.
 *   <li>The time for retries runs from the call, not from the sending. That of a request runs from
 *       its oldest push, so that none takes longer than it would alone. A younger one in it gives
 *       up earlier than it would alone, so the calls of a request lie close together.
 *   <li>The broker knows repeated messages by their transaction ids, so that halves and retries
 *       store nothing twice.
 *   <li>A caller may push and wait in a callback of an earlier push: the next request is sent
 *       before callers get their answers, and if a callback blocks, another thread answers the
 *       rest.
 * </ul>
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class PushGatherer {
  /** Few threads of an application do not wait for each other; many fill these requests well. */
  static final int MOST_REQUESTS = 8;

  /** The calls of a request lie at most this part of the longest call apart. */
  private static final int SPREAD = 32;

  /** Sends one request. */
  interface Sender {
    /**
     * Sends it.
     *
     * @param begun when its first caller called: retries end by that
     */
    CompletableFuture<List<PushResult>> send(List<Calls.Item> items, String affinity, long begun);
  }

  /** Pushes of one place may travel together. */
  private record Place(String queue, int broker) {}

  /** A message and its caller. */
  private record Push(
      Calls.Item item, String affinity, long since, CompletableFuture<PushResult> result) {}

  private static final class Traffic {
    private final Deque<Push> waiting = new ArrayDeque<>();
    private int requests;
  }

  private final Sender sender;
  private final Transport transport;
  private final int maxCount;
  private final int maxBytes;
  private final long spread;
  private final LongSupplier clock;
  private final ScheduledExecutorService timer;
  private final Executor threads;

  private final Object lock = new Object();
  private final Map<Place, Traffic> places = new HashMap<>();
  private boolean closed;

  /**
   * A gatherer without pushes.
   *
   * @param maxCount messages of a request
   * @param maxBytes of a request
   * @param longestCall how long a push may take with all its retries
   * @param clock as {@link System#nanoTime}
   * @param timer looks whether a callback blocks
   * @param threads go on if one does
   */
  PushGatherer(
      Sender sender,
      Transport transport,
      int maxCount,
      int maxBytes,
      Duration longestCall,
      LongSupplier clock,
      ScheduledExecutorService timer,
      Executor threads) {
    this.sender = sender;
    this.transport = transport;
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
    this.spread = longestCall.toNanos() / SPREAD;
    this.clock = clock;
    this.timer = timer;
    this.threads = threads;
  }

  /**
   * Pushes a message.
   *
   * @param affinity which broker it should go to
   * @return what became of it
   */
  CompletableFuture<PushResult> push(Calls.Item item, String affinity) {
    long since = clock.getAsLong();
    if (maxCount == 1 || item.bytes() >= maxBytes) {
      // It fills a request, so that it has nothing to wait for.
      return sender.send(List.of(item), affinity, since).thenApply(results -> results.get(0));
    }
    Push push = new Push(item, affinity, since, new CompletableFuture<>());
    Place place = new Place(item.queue(), transport.brokerOf(affinity));
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(
            new UnavailableException("the client is closed", false, null));
      }
      Traffic traffic = places.computeIfAbsent(place, first -> new Traffic());
      if (traffic.requests == MOST_REQUESTS) {
        traffic.waiting.add(push);
        return push.result();
      }
      traffic.requests++;
    }
    send(place, new ArrayDeque<>(List.of(List.of(push))));
    return push.result();
  }

  /** Fails what waits; the transport ends what is under way. */
  void close() {
    List<Push> unsent = new ArrayList<>();
    synchronized (lock) {
      closed = true;
      for (Traffic traffic : places.values()) {
        unsent.addAll(traffic.waiting);
        traffic.waiting.clear();
      }
    }
    for (Push push : unsent) {
      push.result()
          .completeExceptionally(
              new UnavailableException("the client was closed before it was sent", false, null));
    }
  }

  /** Sends the first of these requests, then the others in their order, then what waits. */
  private void send(Place place, Deque<List<Push>> requests) {
    List<Push> request = requests.remove();
    List<Calls.Item> items = request.stream().map(Push::item).toList();
    CompletableFuture<List<PushResult>> sent;
    try {
      Push oldest = request.get(0);
      sent = sender.send(items, oldest.affinity(), oldest.since());
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (results, failure) -> {
          Throwable cause = failure == null ? null : cause(failure);
          if (cause instanceof RejectedException && request.size() > 1) {
            int half = request.size() / 2;
            requests.addFirst(request.subList(half, request.size()));
            requests.addFirst(request.subList(0, half));
            send(place, requests);
            return;
          }
          goOn(place, requests);
          answer(request, results, cause);
        });
  }

  /** Not {@link Transport#unwrap}, which throws errors: then nothing would travel any more. */
  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void goOn(Place place, Deque<List<Push>> requests) {
    if (requests.isEmpty()) {
      List<Push> next = next(place);
      if (next.isEmpty()) {
        return;
      }
      requests.add(next);
    }
    send(place, requests);
  }

  /** What travels next in place of a request that was answered; nothing if nothing waits. */
  private List<Push> next(Place place) {
    List<Push> next = new ArrayList<>();
    synchronized (lock) {
      Traffic traffic = places.get(place);
      if (traffic == null) {
        throw new IllegalStateException("a request of " + place + " was answered twice");
      }
      long bytes = 0;
      while (!traffic.waiting.isEmpty() && next.size() < maxCount) {
        Push push = traffic.waiting.element();
        bytes += push.item().bytes();
        if (!next.isEmpty() && (bytes > maxBytes || push.since() - next.get(0).since() > spread)) {
          break;
        }
        next.add(traffic.waiting.remove());
      }
      if (next.isEmpty()) {
        traffic.requests--;
        if (traffic.requests == 0) {
          places.remove(place);
        }
      }
    }
    return next;
  }

  private void answer(
      List<Push> pushes, @Nullable List<PushResult> answered, @Nullable Throwable failure) {
    List<PushResult> results = answered == null ? List.of() : answered;
    new AnswerDelivery(
            pushes.size(),
            i -> {
              CompletableFuture<PushResult> result = pushes.get(i).result();
              if (failure == null) {
                result.complete(results.get(i));
              } else {
                result.completeExceptionally(failure);
              }
            },
            timer,
            threads)
        .give();
  }
}
