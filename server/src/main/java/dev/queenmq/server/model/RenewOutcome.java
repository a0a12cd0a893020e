package dev.queenmq.server.model;

import java.time.Instant;

/** What became of a renewal. */
public sealed interface RenewOutcome {

  /** The lease is live until then, at least: the earliest expiry of its partitions. */
  record Renewed(Instant expiresAt) implements RenewOutcome {}

  /** It has run out. */
  record Expired() implements RenewOutcome {}

  /** No partition is held under this lease. */
  record Missing() implements RenewOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements RenewOutcome {}
}
