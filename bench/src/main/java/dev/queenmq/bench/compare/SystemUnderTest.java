package dev.queenmq.bench.compare;

import java.util.Optional;

/** A system that can be compared. */
public interface SystemUnderTest {
  /** Its short name, for the command line. */
  String name();

  /** Whether messages are on the disk when it confirms them. */
  OnDisk onDisk();

  /** In one line: how it is set up, what a confirmation means, what its lanes are. */
  String setup();

  /** What has to be installed before it can start here; empty if nothing. */
  default Optional<String> missing() {
    return Optional.empty();
  }

  /** Starts it in processes and a folder of its own, and waits until it works. */
  RunningSystem start(StartOptions options);
}
