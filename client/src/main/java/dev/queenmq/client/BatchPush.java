package dev.queenmq.client;

import dev.queenmq.client.internal.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A push of many items in several requests, one after the other.
 *
 * <p>If the first request fails, so does the push. Once requests were answered, a failure must not
 * hide what is stored: the push completes with a result for each item, also for those of the
 * request that failed and of those that were not sent any more. It is the same when the caller is
 * interrupted. Who cancels the future gets no results. Nothing is sent after the push has ended.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class BatchPush {

  /** Sends one request. The future is the one to cancel. */
  interface Sender {
    CompletableFuture<List<PushResult>> send(List<Calls.Item> items);
  }

  private final Sender sender;
  private final List<List<Calls.Item>> requests;
  private final CompletableFuture<List<PushResult>> result = new CompletableFuture<>();

  private final Object lock = new Object();
  private final List<PushResult> answered = new ArrayList<>();
  private int next;
  private boolean ended;
  private @Nullable CompletableFuture<List<PushResult>> underWay;

  BatchPush(Sender sender, List<List<Calls.Item>> requests) {
    this.sender = sender;
    this.requests = requests;
  }

  /**
   * Sends the first request; the others follow.
   *
   * @return a result for each item; cancelling it ends the push
   */
  CompletableFuture<List<PushResult>> start() {
    result.whenComplete(
        (done, failure) -> {
          if (result.isCancelled()) {
            cancelRequest();
          }
        });
    sendNext();
    return result;
  }

  /** The same, and waits for the results; an interrupt ends the push. */
  List<PushResult> startAndWait() {
    try {
      return start().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(new UnavailableException("interrupted while waiting for the broker", true, e));
      cancelRequest();
      return outcome();
    } catch (ExecutionException e) {
      throw Transport.unwrap(e);
    }
  }

  /** Of a push that is complete, whether or not this thread is interrupted. */
  private List<PushResult> outcome() {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw Transport.unwrap(e);
    }
  }

  private void sendNext() {
    int number;
    synchronized (lock) {
      number = next;
    }
    if (number == requests.size()) {
      result.complete(Collections.unmodifiableList(answered));
      return;
    }
    if (result.isDone()) {
      return;
    }
    CompletableFuture<List<PushResult>> sent;
    try {
      sent = sender.send(requests.get(number));
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    synchronized (lock) {
      underWay = sent;
    }
    if (result.isDone()) {
      sent.cancel(true);
    }
    sent.whenComplete(this::onAnswer);
  }

  private void onAnswer(@Nullable List<PushResult> results, @Nullable Throwable failure) {
    try {
      if (results == null) {
        end(Transport.unwrap(Objects.requireNonNull(failure)));
        return;
      }
      synchronized (lock) {
        if (ended) {
          return;
        }
        answered.addAll(results);
        next++;
      }
      sendNext();
    } catch (Throwable e) {
      // Errors too: a push without an end would keep its caller waiting.
      result.completeExceptionally(e);
    }
  }

  /** Completes the push with what is known, if it is not complete. */
  private void end(RuntimeException why) {
    synchronized (lock) {
      if (ended || next == requests.size()) {
        return;
      }
      ended = true;
    }
    // Nothing changes any more. Callbacks of callers run outside of the lock.
    if (next == 0) {
      result.completeExceptionally(why);
      return;
    }
    String error = Objects.toString(why.getMessage());
    List<PushResult> known = new ArrayList<>(answered);
    add(known, requests.get(next), statusAfter(why), error);
    // What follows must not overtake what failed, so it is not sent.
    for (List<Calls.Item> unsent : requests.subList(next + 1, requests.size())) {
      add(known, unsent, PushResult.Status.UNSENT, "not sent after a failure before it: " + error);
    }
    result.complete(Collections.unmodifiableList(known));
  }

  private static PushResult.Status statusAfter(RuntimeException why) {
    if (!(why instanceof UnavailableException unavailable)) {
      return PushResult.Status.FAILED;
    }
    return unavailable.mayHaveHappened() ? PushResult.Status.UNKNOWN : PushResult.Status.UNSENT;
  }

  private static void add(
      List<PushResult> results, List<Calls.Item> items, PushResult.Status status, String error) {
    for (Calls.Item item : items) {
      results.add(new PushResult(status, item.message().transactionId(), null, error));
    }
  }

  private void cancelRequest() {
    CompletableFuture<?> sent;
    synchronized (lock) {
      sent = underWay;
    }
    if (sent != null) {
      sent.cancel(true);
    }
  }
}
