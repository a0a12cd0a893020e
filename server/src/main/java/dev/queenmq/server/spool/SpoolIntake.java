package dev.queenmq.server.spool;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.spool.log.SpoolEntry;
import dev.queenmq.server.spool.log.SpoolException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes pushed messages to the spool. Safe for any thread. */
final class SpoolIntake {
  private static final Logger LOG = LoggerFactory.getLogger(SpoolIntake.class);

  private final Spools spools;
  private final InstantSource clock;
  private final Runnable kept;
  // How many times something was on its way into the spool, and the count at which it was last
  // found empty.
  private final AtomicLong entered = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile long quietAt = -1;

  /**
   * Into the first of these.
   *
   * @param kept called when messages are in it
   */
  SpoolIntake(Spools spools, InstantSource clock, Runnable kept) {
    this.spools = spools;
    this.clock = clock;
    this.kept = kept;
    lookForQuiet();
  }

  /** Whether the spool is known to be empty: the only check of a push while PostgreSQL answers. */
  boolean isEmpty() {
    return quietAt == entered.get();
  }

  /** Finds out whether the spool holds nothing. */
  void lookForQuiet() {
    long seen = entered.get();
    if (quietAt != seen && underWay.get() == 0 && spools.isEmpty()) {
      quietAt = seen;
    }
  }

  /**
   * Answers when they are on the disk. What the store would never take does not get there.
   *
   * @param sentAtMillis when they were sent to PostgreSQL, which may have them as well; empty if
   *     they were not
   * @param caller is answered there
   */
  Future<List<PushOutcome>> keep(
      List<Message> messages, OptionalLong sentAtMillis, @Nullable Context caller) {
    boolean perhapsStored = sentAtMillis.isPresent();
    // What may be stored is searched for from this moment on.
    long since = sentAtMillis.orElseGet(clock::millis);
    PushOutcome buffered = new PushOutcome.Buffered();
    List<PushOutcome> outcomes = new ArrayList<>(messages.size());
    List<SpoolEntry> entries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      Optional<Problem> problem = message.problem();
      if (problem.isPresent()) {
        outcomes.add(new PushOutcome.Rejected(problem.get()));
      } else {
        outcomes.add(buffered);
        entries.add(new SpoolEntry(message, perhapsStored, since));
      }
    }
    if (entries.isEmpty()) {
      return Future.succeededFuture(outcomes);
    }
    // In this order, see lookForQuiet.
    underWay.incrementAndGet();
    entered.incrementAndGet();
    Promise<List<PushOutcome>> answer = Promise.promise();
    spools
        .first()
        .append(entries)
        .whenComplete(
            (done, failure) -> {
              underWay.decrementAndGet();
              Runnable notifyCaller =
                  () -> {
                    if (failure == null) {
                      answer.complete(outcomes);
                    } else {
                      answer.fail(refusal(failure));
                    }
                  };
              if (caller == null) {
                notifyCaller.run();
              } else {
                caller.runOnContext(go -> notifyCaller.run());
              }
              kept.run();
            });
    return answer.future();
  }

  private static BrokerException refusal(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof SpoolException known && known.kind() == SpoolException.Kind.FULL) {
      return new BrokerException(
          BrokerException.Kind.UNAVAILABLE,
          "Messages cannot be stored now, and the spool is full; try again");
    }
    LOG.error("The spool cannot take messages: {}", cause.toString());
    return new BrokerException(
        BrokerException.Kind.UNAVAILABLE,
        "Messages cannot be stored now, and the spool cannot take them; try again");
  }
}
