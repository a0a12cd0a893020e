package dev.queenmq.testkit.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** A broker that takes requests, and its database. */
public interface RunningBroker extends AutoCloseable {

  /** Where it listens on loopback. */
  int port();

  /** What the clock shows that leases, delays and retention go by. */
  Instant now();

  /** Moves that clock forward. */
  void advance(Duration by);

  /** The queues that exist, and those that groups wait for. */
  Set<String> queues();

  /** True if an operator has stopped pushes or pops of the broker. */
  boolean isInMaintenance();

  /** Removes what is not part of a queue: traces and what streams keep. */
  void removeTracesAndStreams();

  /** What is in a queue; empty if there is none of that name. */
  Optional<QueueFigures> figures(String queue);

  /** Stops it and removes its database. */
  @Override
  void close();
}
