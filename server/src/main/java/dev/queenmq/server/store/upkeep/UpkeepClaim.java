package dev.queenmq.server.store.upkeep;

import java.time.Duration;

/** What became of the wish to do a job of upkeep. */
public sealed interface UpkeepClaim {

  /**
   * It is ours, for as long as we take steps.
   *
   * @param token that every step names
   */
  record Claimed(long token) implements UpkeepClaim {}

  /**
   * Another broker does it.
   *
   * @param patience after which it has taken another step, or is gone
   */
  record Held(String holder, Duration patience) implements UpkeepClaim {}

  /**
   * It is not due.
   *
   * @param patience after which it is
   */
  record Early(Duration patience) implements UpkeepClaim {}
}
