package dev.queenmq.cli.command.messages;

import java.nio.charset.StandardCharsets;

/** Payloads on lines of their own. */
final class JsonLines {

  private JsonLines() {}

  /**
   * A payload as it was pushed, on one line. In JSON a line break can stand between values only,
   * where a space means the same.
   */
  static String payload(byte[] json) {
    return new String(json, StandardCharsets.UTF_8).replace('\n', ' ').replace('\r', ' ');
  }
}
