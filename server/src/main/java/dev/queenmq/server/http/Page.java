package dev.queenmq.server.http;

/** Which part of a long list is wanted. */
record Page(int limit, int offset) {
  /** A list has no more elements at once. */
  static final int MOST = 10_000;

  /** So many partitions of a queue, or that lag, are told in less than half a second. */
  static final int USUAL_PARTITIONS = 2_000;

  /** Likewise of a group. */
  static final int USUAL_POSITIONS = 5_000;

  /** The parameters of a route that takes nothing else. */
  static final KnownNames PARAMETERS = KnownNames.parameters("limit", "offset");

  /** By the parameters {@code limit} and {@code offset}. */
  static Page of(QueryParameters query, int usual, int most) {
    return new Page(
        query.number("limit", 1, most, usual), query.number("offset", 0, Integer.MAX_VALUE, 0));
  }
}
