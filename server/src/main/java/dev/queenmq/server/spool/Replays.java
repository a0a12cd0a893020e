package dev.queenmq.server.spool;

import dev.queenmq.server.broker.Broker;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Brings what is in both spools to PostgreSQL, each at its own pace. */
public final class Replays {
  private final Replay first;
  private final Replay aside;

  /**
   * Replays that do not run yet.
   *
   * @param front takes pushes
   * @param store brings them to PostgreSQL
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Replays(
      Spools spools,
      SpoolingBroker front,
      Broker store,
      DatabaseWatch watch,
      BooleanSupplier maintenance,
      LongSupplier nanoTime) {
    first =
        new Replay(
            spools.first(),
            Optional.of(spools.aside()),
            front,
            store,
            watch,
            maintenance,
            nanoTime);
    aside =
        new Replay(spools.aside(), Optional.empty(), front, store, watch, maintenance, nanoTime);
  }

  /** Begins. */
  public void start() {
    first.start();
    aside.start();
  }

  /** Ends; blocks until they have. What is under way is found again by the next ones. */
  public void stop() throws InterruptedException {
    first.stop();
    aside.stop();
  }

  /** Messages that were brought to PostgreSQL. */
  public long replayed() {
    return first.replayed() + aside.replayed();
  }

  /** Messages that were given up. */
  public long givenUp() {
    return first.givenUp() + aside.givenUp();
  }
}
