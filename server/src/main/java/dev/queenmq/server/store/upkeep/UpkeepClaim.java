package dev.queenmq.server.store.upkeep;

import java.time.Duration;

/** The answer to a claim of an upkeep job. */
public sealed interface UpkeepClaim {

  /**
   * This broker has the job, as long as it takes steps.
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
