package dev.queenmq.server.config;

/** How log lines look. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object a line, for machines. */
  JSON
}
