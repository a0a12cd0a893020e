package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.MessageKey;
import java.util.Optional;

/** Makes dead letters messages of their groups again, all of them or none. */
public sealed interface Redrive {

  /**
   * Some of a queue.
   *
   * @param limit how many at most, those that failed first
   * @param requestId a second call with the same one is answered as the first and changes nothing
   */
  record Selected(DeadLetterSelection selection, int limit, Optional<String> requestId)
      implements Redrive {}

  /** Those of one message, of one group or of all. */
  record OneMessage(MessageKey message, Optional<String> group) implements Redrive {}
}
