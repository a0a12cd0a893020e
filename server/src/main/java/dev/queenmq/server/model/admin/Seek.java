package dev.queenmq.server.model.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * Move a group on a queue, or on one partition of it. Leases end; the group reads on from the new
 * place as if it had never been further.
 */
public record Seek(String queue, Optional<String> partition, String group, Position to) {

  /** Where to. */
  public sealed interface Position {
    /** Behind the newest message. */
    record End() implements Position {}

    /** Before the first message that is younger than this. */
    record After(Instant moment) implements Position {}
  }
}
