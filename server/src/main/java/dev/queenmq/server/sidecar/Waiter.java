package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Polled.Nothing;
import dev.queenmq.server.store.PartitionBatch;
import io.vertx.core.Promise;
import java.util.List;

/** A poll in the waiting room. Belongs to the room's event loop. */
final class Waiter {
  static final long NO_TIMER = -1;

  final PollRequest request;
  final Promise<Polled> answer = Promise.promise();

  /** Of its deadline. */
  long timer = NO_TIMER;

  /** The store is being asked for it. */
  boolean asked;

  /** The tail was looked at for it. */
  boolean looked;

  /** It waits no longer: answer it with what the look under way finds. */
  boolean lastLook;

  boolean cancelled;

  /** It was told that an operator has paused pops. */
  boolean stopped;

  /** Other brokers know that somebody waits. */
  boolean announced;

  /** Why the last look found nothing. */
  Nothing reason;

  Waiter(PollRequest request) {
    this.request = request;
    this.lastLook = request.patience().isZero();
    this.reason =
        request.target() instanceof PollTarget.Partition
            ? Nothing.EMPTY
            : Nothing.NO_AVAILABLE_PARTITION;
  }

  void gets(List<PartitionBatch> batches) {
    answer.tryComplete(new Polled(request.group(), batches, Nothing.NONE));
  }

  void getsNothing(Nothing why) {
    answer.tryComplete(new Polled(request.group(), List.of(), why));
  }
}
