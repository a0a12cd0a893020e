package dev.queenmq.server.config.values;

import java.util.HexFormat;

/** A value that must not reach a log line: {@code toString} masks it. */
public record Secret(String value) {
  private static final int KEY_DIGITS = 64;

  @Override
  public String toString() {
    return "****";
  }

  /**
   * What is wrong with it as a key of 32 bytes, without a word of its text; empty if nothing is.
   */
  public String faultAsKey() {
    if (value.length() != KEY_DIGITS) {
      return "has %d characters".formatted(value.length());
    }
    return value.chars().allMatch(HexFormat::isHexDigit)
        ? ""
        : "has characters that are not hexadecimal digits";
  }
}
