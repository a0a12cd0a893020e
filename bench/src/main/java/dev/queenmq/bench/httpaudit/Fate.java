package dev.queenmq.bench.httpaudit;

import org.jspecify.annotations.Nullable;

/** What one group got of one message and said about it. For one event loop. */
final class Fate {
  private @Nullable HeldBatch last;
  private @Nullable HeldBatch doneUnder;
  private long doneSent = Long.MAX_VALUE;
  private boolean perhapsDone;

  /** The latest delivery. */
  @Nullable HeldBatch last() {
    return last;
  }

  void delivered(HeldBatch batch) {
    last = batch;
  }

  boolean wasDelivered() {
    return last != null;
  }

  /** The lease under which the broker took it as done. */
  @Nullable HeldBatch doneUnder() {
    return doneUnder;
  }

  boolean isDone() {
    return doneUnder != null;
  }

  /** Whether it may be done, by a verdict without an answer. */
  boolean isPerhapsDone() {
    return perhapsDone;
  }

  /** The earliest moment at which it can have been done. */
  long doneSent() {
    return doneSent;
  }

  void done(HeldBatch under, long sent) {
    if (doneUnder == null) {
      doneUnder = under;
    }
    doneSent = Math.min(doneSent, sent);
  }

  void perhapsDone(long sent) {
    perhapsDone = true;
    doneSent = Math.min(doneSent, sent);
  }
}
