package dev.queenmq.server.sidecar.waiting;

/**
 * How much of a queue a group's ready list covers. The list is made from pages of all partitions.
 * Messages are delivered from the first page on.
 */
enum ListCoverage {
  /** Nothing: the group has not met the queue here, or was moved since. */
  UNKNOWN,
  /**
   * Nothing yet: the first page is being read. Polls wait for it, so that the first pop of a group
   * gets all that there is, and not only what a look at the tail happens to show meanwhile.
   */
  STARTING,
  /** The partitions of the pages that were read so far. */
  RUNNING,
  /** All partitions. */
  COMPLETE,
  /** All of them; the pages are read again, in case something was missed. */
  RENEWING;

  private static final Transitions<ListCoverage> TABLE =
      new Transitions<>(ListCoverage.class)
          .from(UNKNOWN, UNKNOWN, STARTING)
          .from(STARTING, RUNNING, COMPLETE, UNKNOWN)
          .from(RUNNING, COMPLETE, UNKNOWN)
          .from(COMPLETE, RENEWING, UNKNOWN)
          .from(RENEWING, COMPLETE, UNKNOWN);

  ListCoverage next(ListCoverage to) {
    return TABLE.next(this, to);
  }

  /** Whether a partition that is not on the list is believed to be empty. */
  boolean whole() {
    return this == COMPLETE || this == RENEWING;
  }

  /** Whether pages are being read. */
  boolean reading() {
    return this == STARTING || this == RUNNING || this == RENEWING;
  }
}
