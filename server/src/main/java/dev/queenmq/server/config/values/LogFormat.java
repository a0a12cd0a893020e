package dev.queenmq.server.config.values;

/** How log lines look. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object a line, for machines. */
  JSON
}
