package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Through;
import java.util.List;
import java.util.Random;

/**
 * The way to what is audited, and what only this way allows to see and to break. Blocks, but for
 * {@link #newClient} and {@link #classify}, which belong to the event loop.
 */
abstract class FrontEnd implements AutoCloseable {
  /** What a failed call means. */
  enum Failure {
    /** The client has cut it itself. */
    CUT,
    /** The audit makes such calls fail. */
    PROVOKED,
    /** The audit did not provoke it. */
    UNEXPECTED
  }

  /** Which way it is. */
  abstract Through through();

  /** Makes the queue; everything else comes after this. */
  abstract void open(AuditContext audit);

  /** A connection for one client alone. */
  abstract AuditClient newClient(Random random);

  /** A producer's way of its own. */
  PushClient newPushClient(Random random) {
    return newClient(random);
  }

  /**
   * A consumer.
   *
   * @param copies whether it answers in transactions only
   */
  Actor newConsumer(AuditContext audit, int group, boolean copies, Random random) {
    return new Consumer(audit, this, group, copies, random);
  }

  abstract Failure classify(Throwable failure);

  /** What runs beside producers and consumers. */
  List<Actor> helpers() {
    return List.of();
  }

  /** How often {@link #disturb} is to be called while messages are pushed. */
  int disturbances() {
    return 0;
  }

  void disturb() {}

  /** Waits until nothing is broken any more. */
  void settle() {}

  /** How many messages consumers have still to deal with. */
  abstract long left();

  /**
   * Reads everything once more in the end, undisturbed: the messages of each partition in order.
   */
  abstract List<List<AuditedMessage>> read();

  /** What there is to say beside all counts, for people. */
  List<String> notes() {
    return List.of();
  }

  @Override
  public void close() {}
}
