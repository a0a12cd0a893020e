package dev.queenmq.server.logging;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.queenmq.server.text.OneLine;
import java.nio.charset.StandardCharsets;

/**
 * Log lines as JSON objects. The encoder of logback escapes what JSON demands; this one also what a
 * terminal or a reader of lines might act upon. As that stands inside of texts only, the meaning is
 * the same.
 */
public final class EscapedJson extends JsonEncoder {

  @Override
  public byte[] encode(ILoggingEvent event) {
    String line = new String(super.encode(event), StandardCharsets.UTF_8);
    String end = line.endsWith("\n") ? "\n" : "";
    String object = line.substring(0, line.length() - end.length());
    return (OneLine.escaped(object) + end).getBytes(StandardCharsets.UTF_8);
  }
}
