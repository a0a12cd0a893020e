package dev.queenmq.server.spool;

import dev.queenmq.server.spool.log.SpoolFigures;

/**
 * The state of the spool.
 *
 * @param present whether there is one
 * @param maxBytes that it may take
 * @param healthy whether it has room
 * @param replayed messages that it has given to PostgreSQL since the start
 * @param givenUp messages that PostgreSQL refused for good since the start
 * @param databaseAway whether PostgreSQL is known to be away
 */
public record SpoolStatus(
    boolean present,
    SpoolFigures figures,
    long maxBytes,
    boolean healthy,
    long replayed,
    long givenUp,
    boolean databaseAway) {

  /** The status of a broker without a spool. */
  public static SpoolStatus none() {
    return new SpoolStatus(
        false, new SpoolFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, false, 0, 0, false);
  }
}
