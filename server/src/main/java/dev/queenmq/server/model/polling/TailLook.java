package dev.queenmq.server.model.polling;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * One look at the tail: what happened since the look before.
 *
 * @param bookmark pass it to the next look
 * @param partitionIds that got messages
 * @param moved groups that were moved
 * @param now the time by the clock of the database
 * @param others how many other brokers are up; empty if PostgreSQL does not know the caller any
 *     more: it has crashed, and the tail with what was in it is lost
 */
public record TailLook(
    String bookmark,
    List<UUID> partitionIds,
    List<MovedGroup> moved,
    Instant now,
    OptionalInt others) {

  /** A group on a queue. */
  public record MovedGroup(String queue, String group) {}
}
