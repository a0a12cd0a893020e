package dev.queenmq.server.model.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some dead letters of a queue.
 *
 * @param from those that failed at this moment or later
 * @param until those that failed before this moment
 * @param transactionIds those with one of these; any if it is empty
 */
public record DeadLetterSelection(
    String queue,
    Optional<String> partition,
    Optional<String> group,
    Optional<Instant> from,
    Optional<Instant> until,
    List<String> transactionIds) {
  /** Copies the list. */
  public DeadLetterSelection {
    transactionIds = List.copyOf(transactionIds);
  }
}
