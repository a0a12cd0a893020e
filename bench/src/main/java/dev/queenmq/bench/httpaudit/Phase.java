package dev.queenmq.bench.httpaudit;

/** What workers do. */
enum Phase {
  /** Everybody, with all bad habits. */
  RUN,
  /** Nobody pushes, consumers behave. */
  DRAIN,
  /** It is over. */
  STOP
}
