package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled.EmptyReason;
import org.jspecify.annotations.Nullable;

/** A poll in the waiting room. */
public final class Waiter {
  /** The factor by which a poll tries more partitions after each question in vain. */
  private static final int GROWTH = 8;

  private static final int MAX_CANDIDATES = 500;

  private final PollRequest request;

  /** Its number among the events of the room. */
  final long arrived;

  /** How many looks at the tail had begun when it arrived. */
  final long looksBefore;

  WaiterState state = WaiterState.WAITING;
  @Nullable Alarm deadline;

  /** Held partitions have not been checked on its behalf yet. */
  boolean fresh = true;

  /** A question has shown that an operator has paused pops. */
  boolean stopped;

  /** It was announced to other brokers. */
  boolean announced;

  /** Why the last question found nothing. */
  EmptyReason reason;

  private int candidates;

  Waiter(PollRequest request, long arrived, long looksBefore) {
    this.request = request;
    this.arrived = arrived;
    this.looksBefore = looksBefore;
    this.candidates = request.maxPartitions();
    this.reason =
        request.target() instanceof PollTarget.Partition
            ? EmptyReason.EMPTY
            : EmptyReason.NO_AVAILABLE_PARTITION;
  }

  /** What its client wants. */
  public PollRequest request() {
    return request;
  }

  void become(WaiterState next) {
    state = state.next(next);
  }

  /** Whether the store is being asked for it. */
  boolean isAsked() {
    return state == WaiterState.ASKED
        || state == WaiterState.LEAVING_ASKED
        || state == WaiterState.CANCELLED;
  }

  boolean isLeaving() {
    return state == WaiterState.LEAVING || state == WaiterState.LEAVING_ASKED;
  }

  /** How many partitions to ask for: those that it takes, and more after questions in vain. */
  int candidates() {
    return candidates;
  }

  void askedInVain() {
    candidates = Math.max(candidates, Math.min(candidates * GROWTH, MAX_CANDIDATES));
  }
}
