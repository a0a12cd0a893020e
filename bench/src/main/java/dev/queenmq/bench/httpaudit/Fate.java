package dev.queenmq.bench.httpaudit;

import org.jspecify.annotations.Nullable;

/** What one group got of one message and said about it. For one event loop. */
final class Fate {
  private @Nullable HeldBatch last;
  private @Nullable HeldBatch doneUnder;
  private long doneSent = Long.MAX_VALUE;
  private boolean perhapsDone;
  private boolean promisedDead;
  private boolean buried;
  private String refusal = "no verdict was refused";

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

  /** Whether it may be done, by an ack without an answer. */
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

  /** The broker did not take an ack, for this reason. */
  void refused(String why) {
    refusal = why;
  }

  /** For people. */
  String story() {
    return "last got by " + last + ", " + refusal;
  }

  /** The broker has answered that it is a dead letter now. */
  void promisedDead() {
    promisedDead = true;
  }

  boolean isPromisedDead() {
    return promisedDead;
  }

  /** It is among the dead letters, perhaps without an ack: then its deliveries were too many. */
  void buried() {
    buried = true;
    if (last != null) {
      doneSent = Math.min(doneSent, last.sent());
    }
  }

  boolean isBuried() {
    return buried;
  }

  void perhapsDone(long sent) {
    perhapsDone = true;
    doneSent = Math.min(doneSent, sent);
  }
}
