package dev.queenmq.server.spool;

import dev.queenmq.server.broker.Broker;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Brings what is in both spools to PostgreSQL, each at its own pace. */
public final class Replays {
  private final Replay first;
  private final Replay aside;

  /**
   * Replays that do not run yet.
   *
   * @param front takes pushes
   * @param store brings them to PostgreSQL
   */
  public Replays(
      Spools spools,
      SpoolingBroker front,
      Broker store,
      DatabaseWatch watch,
      BooleanSupplier maintenance) {
    first =
        new Replay(spools.first(), Optional.of(spools.aside()), front, store, watch, maintenance);
    aside = new Replay(spools.aside(), Optional.empty(), front, store, watch, maintenance);
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
