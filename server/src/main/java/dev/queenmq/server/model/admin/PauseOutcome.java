package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;
import java.time.Instant;
import java.util.Optional;

/** What became of a {@link PopPause}. */
public sealed interface PauseOutcome {

  /**
   * It is as was asked for.
   *
   * @param changed whether it was not so before
   * @param since when pops were paused; absent: they are not
   */
  record Done(boolean changed, Optional<Instant> since) implements PauseOutcome {}

  /** There is no such queue. */
  record NotFound() implements PauseOutcome {}

  /** The group has neither read nor subscribed to the queue. */
  record UnknownGroup() implements PauseOutcome {}

  /** The request is not valid. */
  record Rejected(Problem problem) implements PauseOutcome {}
}
