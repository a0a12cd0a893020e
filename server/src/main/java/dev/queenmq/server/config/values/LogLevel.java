package dev.queenmq.server.config.values;

/** How much is logged. */
public enum LogLevel {
  TRACE,
  DEBUG,
  INFO,
  WARN,
  ERROR,
  /** An older name for the fewest lines; the same as {@link #ERROR}. */
  CRITICAL,
  OFF
}
