package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Polled.Nothing;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A poll for all queues of a namespace or task. Asks them one after the other, the most important
 * first; while none has anything, it listens to all of them, and looks now and then for new ones.
 */
final class LabelPoll implements Poll {
  /** New queues with the label are found after this long. */
  private static final long REFRESH_MILLIS = 1000;

  private final Sidecars sidecars;
  private final Vertx vertx;
  private final Context context;
  private final PollTarget.Label label;
  private final PollRequest request;
  private final long deadline;
  private final Promise<Polled> answer = Promise.promise();
  private Optional<Poll> asking = Optional.empty();
  private List<String> listening = List.of();
  private final Runnable bell;
  private boolean rung;
  private boolean resting;
  private long timer = Waiter.NO_TIMER;
  private volatile boolean cancelled;

  LabelPoll(Sidecars sidecars, Vertx vertx, PollTarget.Label label, PollRequest request) {
    this.sidecars = sidecars;
    this.vertx = vertx;
    this.label = label;
    this.request = request;
    this.context = vertx.getOrCreateContext();
    this.deadline = System.nanoTime() + request.patience().toNanos();
    this.bell = () -> context.runOnContext(go -> ring());
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
            finish(new Polled(request.group(), List.of(), Nothing.TIMED_OUT));
          }
        });
  }

  private void round() {
    resting = false;
    rung = false;
    sidecars
        .directory()
        .labelled(label.namespace(), label.task())
        .onComplete(
            found -> {
              List<String> queues =
                  found.succeeded()
                      ? found.result().stream().filter(label.visible()).toList()
                      : List.of();
              listen(queues);
              ask(queues.iterator());
            });
  }

  private void ask(Iterator<String> queues) {
    if (cancelled) {
      finish(new Polled(request.group(), List.of(), Nothing.TIMED_OUT));
      return;
    }
    if (!queues.hasNext()) {
      rest();
      return;
    }
    Poll poll =
        sidecars.pop(
            new PollRequest(
                new PollTarget.Queue(queues.next()),
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
                ask(queues);
              } else if (cancelled) {
                sidecars.release(polled.result());
                finish(new Polled(request.group(), List.of(), Nothing.TIMED_OUT));
              } else {
                finish(polled.result());
              }
            });
  }

  /** Nothing now: wait for a bell, for a while at most. */
  private void rest() {
    long left = (deadline - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      finish(
          new Polled(
              request.group(),
              List.of(),
              request.patience().isZero() ? Nothing.NO_AVAILABLE_PARTITION : Nothing.TIMED_OUT));
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
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        finish(new Polled(request.group(), List.of(), Nothing.TIMED_OUT));
      } else {
        round();
      }
    }
  }

  private void listen(List<String> queues) {
    if (!queues.equals(listening)) {
      stopListening();
      listening = queues;
      for (String queue : queues) {
        Sidecar owner = sidecars.owner(queue);
        owner.context().runOnContext(go -> owner.room().listen(queue, bell));
      }
    }
  }

  private void stopListening() {
    for (String queue : listening) {
      Sidecar owner = sidecars.owner(queue);
      owner.context().runOnContext(go -> owner.room().ignore(queue, bell));
    }
    listening = List.of();
  }

  private void finish(Polled polled) {
    resting = false;
    if (timer != Waiter.NO_TIMER) {
      vertx.cancelTimer(timer);
    }
    stopListening();
    answer.tryComplete(polled);
  }
}
