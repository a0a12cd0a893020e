package dev.queenmq.server.spool;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Polled.EmptyReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Polls that come before PostgreSQL is reached. They wait for their timeout and get nothing. When
 * PostgreSQL is reached, they get nothing at once, and their consumers poll again. Safe for any
 * thread.
 */
final class IdlePolls {
  private final Vertx vertx;
  private final int most;
  private final Set<IdlePoll> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /**
   * None yet.
   *
   * @param most how many may wait at once
   */
  IdlePolls(Vertx vertx, int most) {
    this.vertx = vertx;
    this.most = most;
  }

  Poll of(PollRequest request) {
    IdlePoll poll = new IdlePoll(request);
    if (request.patience().isZero() || over) {
      poll.end(EmptyReason.NO_AVAILABLE_PARTITION);
    } else if (waiting.size() >= most) {
      poll.answer.tryFail(
          new BrokerException(BrokerException.Kind.OVERLOADED, "Too many polls are waiting"));
    } else {
      waiting.add(poll);
      poll.timer =
          vertx.setTimer(request.patience().toMillis(), late -> poll.end(EmptyReason.TIMED_OUT));
      if (over) {
        poll.end(EmptyReason.TIMED_OUT);
      }
    }
    return poll;
  }

  /** Answers all polls with nothing, now and from now on. */
  void end() {
    over = true;
    waiting.forEach(poll -> poll.context.runOnContext(go -> poll.end(EmptyReason.TIMED_OUT)));
  }

  private final class IdlePoll implements Poll {
    private final PollRequest request;
    private final Context context = vertx.getOrCreateContext();
    private final Promise<Polled> answer = Promise.promise();
    private long timer = -1;

    IdlePoll(PollRequest request) {
      this.request = request;
    }

    @Override
    public Future<Polled> answer() {
      return answer.future();
    }

    @Override
    public void cancel() {
      context.runOnContext(go -> end(EmptyReason.TIMED_OUT));
    }

    private void end(EmptyReason why) {
      waiting.remove(this);
      if (timer >= 0) {
        vertx.cancelTimer(timer);
      }
      answer.tryComplete(new Polled(request.group(), List.of(), why));
    }
  }
}
