package dev.queenmq.server.logging;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.queenmq.server.text.OneLine;

/** The message of a log line, on one line. Takes the place of {@code %msg} in patterns. */
public final class EscapedMessage extends MessageConverter {

  @Override
  public String convert(ILoggingEvent event) {
    return OneLine.escaped(String.valueOf(super.convert(event)));
  }
}
