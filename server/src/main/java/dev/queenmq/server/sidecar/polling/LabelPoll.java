package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Polled.EmptyReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A poll for all queues of a namespace or task. Polls them one after the other, the highest
 * priority first. While none has messages, it waits for an event of any of them, and looks for new
 * queues now and then.
 */
public final class LabelPoll implements Poll {
  private static final long NO_TIMER = -1;

  /** New queues with the label are found after this long. */
  private static final long REFRESH_MILLIS = 1000;

  /** The queues that a label may stand for. */
  public interface Queues {
    Future<List<String>> labelled(Optional<String> namespace, Optional<String> task);

    /** A poll for one of them. */
    Poll pop(PollRequest request);

    void release(Polled undelivered);

    WaitingRooms rooms();
  }

  private final Queues queues;
  private final Vertx vertx;
  private final Context context;
  private final PollTarget.Label label;
  private final PollRequest request;
  private final LongSupplier nanoTime;
  private final long deadline;
  private final Promise<Polled> answer = Promise.promise();
  private Optional<Poll> asking = Optional.empty();
  private List<String> listening = List.of();
  private final Runnable listener;
  private boolean rung;
  private boolean resting;
  private long timer = NO_TIMER;
  private volatile boolean cancelled;

  public LabelPoll(
      Queues queues,
      Vertx vertx,
      PollTarget.Label label,
      PollRequest request,
      LongSupplier nanoTime) {
    this.queues = queues;
    this.vertx = vertx;
    this.label = label;
    this.request = request;
    this.nanoTime = nanoTime;
    this.context = vertx.getOrCreateContext();
    this.deadline = nanoTime.getAsLong() + request.patience().toNanos();
    this.listener = () -> context.runOnContext(go -> ring());
    context.runOnContext(go -> round());
  }

  @Override
  public Future<Polled> answer() {
    return answer.future();
  }

  @Override
  public void cancel() {
    cancelled = true;
    context.runOnContext(
        go -> {
          asking.ifPresent(Poll::cancel);
          if (resting) {
            finish(new Polled(request.group(), List.of(), EmptyReason.TIMED_OUT));
          }
        });
  }

  private void round() {
    resting = false;
    rung = false;
    queues
        .labelled(label.namespace(), label.task())
        .onComplete(
            found -> {
              List<String> visible =
                  found.succeeded()
                      ? found.result().stream().filter(label.visible()).toList()
                      : List.of();
              listen(visible);
              ask(visible.iterator());
            });
  }

  private void ask(Iterator<String> names) {
    if (cancelled) {
      finish(new Polled(request.group(), List.of(), EmptyReason.TIMED_OUT));
      return;
    }
    if (!names.hasNext()) {
      rest();
      return;
    }
    Poll poll =
        queues.pop(
            new PollRequest(
                new PollTarget.Queue(names.next()),
                request.group(),
                request.batch(),
                request.maxPartitions(),
                request.autoAck(),
                request.subscription(),
                Duration.ZERO,
                request.holder()));
    asking = Optional.of(poll);
    poll.answer()
        .onComplete(
            polled -> {
              asking = Optional.empty();
              if (polled.failed()) {
                stopListening();
                answer.tryFail(polled.cause());
              } else if (polled.result().batches().isEmpty()) {
                ask(names);
              } else if (cancelled) {
                queues.release(polled.result());
                finish(new Polled(request.group(), List.of(), EmptyReason.TIMED_OUT));
              } else {
                finish(polled.result());
              }
            });
  }

  /** No queue has messages: wait for an event, for a while at most. */
  private void rest() {
    long left = (deadline - nanoTime.getAsLong()) / 1_000_000;
    if (left <= 0) {
      finish(
          new Polled(
              request.group(),
              List.of(),
              request.patience().isZero()
                  ? EmptyReason.NO_AVAILABLE_PARTITION
                  : EmptyReason.TIMED_OUT));
    } else if (rung) {
      round();
    } else {
      resting = true;
      timer = vertx.setTimer(Math.min(left, REFRESH_MILLIS), over -> again());
    }
  }

  private void ring() {
    rung = true;
    if (resting) {
      vertx.cancelTimer(timer);
      again();
    }
  }

  private void again() {
    if (resting && !answer.future().isComplete()) {
      long left = (deadline - nanoTime.getAsLong()) / 1_000_000;
      if (left <= 0) {
        finish(new Polled(request.group(), List.of(), EmptyReason.TIMED_OUT));
      } else {
        round();
      }
    }
  }

  private void listen(List<String> names) {
    if (!names.equals(listening)) {
      stopListening();
      listening = names;
      for (String queue : names) {
        queues.rooms().onOwner(queue, room -> room.listen(queue, listener));
      }
    }
  }

  private void stopListening() {
    for (String queue : listening) {
      queues.rooms().onOwner(queue, room -> room.ignore(queue, listener));
    }
    listening = List.of();
  }

  private void finish(Polled polled) {
    resting = false;
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
    }
    stopListening();
    answer.tryComplete(polled);
  }
}
