package dev.queenmq.server.spool.log;

import dev.queenmq.server.model.Message;

/**
 * A message in the spool.
 *
 * @param perhapsStored PostgreSQL may have it already: it was sent there and no answer came.
 *     Entries that are given out a second time, or were found when the spool was opened, always say
 *     so, because a drain may have been cut off after it had stored them
 * @param acceptedAtMillis when its producer was promised that it is kept
 */
public record SpoolEntry(Message message, boolean perhapsStored, long acceptedAtMillis) {

  /** The same, of which it is not known whether PostgreSQL has it. */
  public SpoolEntry inDoubt() {
    return perhapsStored ? this : new SpoolEntry(message, true, acceptedAtMillis);
  }
}
