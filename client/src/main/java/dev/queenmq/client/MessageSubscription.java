package dev.queenmq.client;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A consumer as a subscription: a message counts as handled when it is settled, and is handed out
 * when the subscriber has asked for it. Signals come one at a time, as the rules of reactive
 * streams demand; a subscriber that asks for more from within {@code onNext} does not recurse.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class MessageSubscription<T> implements Handling<T>, Flow.Subscription {

  private record Offer<T>(Message<T> message, CompletableFuture<Boolean> handed) {}

  private final Flow.Subscriber<? super Message<T>> subscriber;
  private final Queue<Offer<T>> offers = new ArrayDeque<>();
  private long demand;
  private boolean emitting;
  private boolean cancelled;

  /** The consumer stops or has stopped: nothing is offered any more. */
  private boolean stopping;

  /** The consumer has ended: the subscriber is to hear it. */
  private boolean completed;

  /** The subscriber has heard the end. */
  private boolean ended;

  private @Nullable Throwable failure;
  private @Nullable QueenConsumer consumer;

  MessageSubscription(Flow.Subscriber<? super Message<T>> subscriber) {
    this.subscriber = subscriber;
  }

  void begin(Supplier<QueenConsumer> start) {
    subscriber.onSubscribe(this);
    synchronized (this) {
      if (cancelled || ended) {
        return;
      }
    }
    QueenConsumer started;
    try {
      started = start.get();
    } catch (IllegalStateException e) {
      // A closed client: a publisher must not throw.
      synchronized (this) {
        ended = true;
      }
      subscriber.onError(e);
      return;
    }
    boolean late;
    synchronized (this) {
      consumer = started;
      late = cancelled;
    }
    if (late) {
      started.stopAsync();
    }
  }

  @Override
  public CompletableFuture<?> handle(List<Message<T>> messages, Around around) {
    Message<T> message = messages.get(0);
    CompletableFuture<Boolean> handed = new CompletableFuture<>();
    synchronized (this) {
      if (cancelled || stopping) {
        message.retry();
        return CompletableFuture.completedFuture(true);
      }
      offers.add(new Offer<>(message, handed));
    }
    emit();
    // Handed out is not handled: the consumer waits for both.
    return handed.thenCompose(yes -> message.whenSettled());
  }

  /** One thread emits at a time; another one leaves to it what it has to say. */
  private void emit() {
    while (true) {
      Offer<T> next = null;
      Throwable error;
      synchronized (this) {
        if (emitting || ended || cancelled) {
          return;
        }
        error = failure;
        if (error != null || completed) {
          ended = true;
        } else if (demand == 0 || offers.isEmpty()) {
          return;
        } else {
          next = offers.remove();
          demand--;
        }
        emitting = true;
      }
      try {
        if (error != null) {
          subscriber.onError(error);
        } else if (next == null) {
          subscriber.onComplete();
        } else {
          next.handed().complete(true);
          subscriber.onNext(next.message());
        }
      } finally {
        synchronized (this) {
          emitting = false;
        }
      }
    }
  }

  @Override
  public void request(long n) {
    QueenConsumer toStop = null;
    synchronized (this) {
      if (n <= 0) {
        failure = new IllegalArgumentException("a subscriber must request at least one message");
        toStop = consumer;
      } else {
        demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
      }
    }
    emit();
    if (toStop != null) {
      toStop.stopAsync();
    }
  }

  @Override
  public void cancel() {
    QueenConsumer running;
    synchronized (this) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      running = consumer;
    }
    if (running != null) {
      running.stopAsync();
    }
  }

  /** Offers that the subscriber has not asked for would keep the consumer from ending. */
  @Override
  public void stopping() {
    synchronized (this) {
      stopping = true;
    }
    giveBack();
  }

  @Override
  public void interrupt() {
    giveBack();
  }

  private void giveBack() {
    List<Offer<T>> left;
    synchronized (this) {
      left = List.copyOf(offers);
      offers.clear();
    }
    for (Offer<T> each : left) {
      each.message().retry();
      each.handed().complete(true);
    }
  }

  /** The client was closed. */
  @Override
  public void ended() {
    synchronized (this) {
      completed = true;
    }
    emit();
  }
}
