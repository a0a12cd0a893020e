package dev.queenmq.server.config.values;

/** A value that must not reach a log line: {@code toString} masks it. */
public record Secret(String value) {

  @Override
  public String toString() {
    return "****";
  }
}
