package dev.queenmq.server.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.CoreConstants;
import dev.queenmq.server.text.OneLine;

/**
 * What was thrown, with its stack and causes, where each message is on one line. Takes the place of
 * {@code %ex} in patterns. All lines but the first are indented.
 */
public final class EscapedThrowable extends ThrowableProxyConverter {
  private static final int MOST_CAUSES = 16;

  @Override
  protected String throwableProxyToString(IThrowableProxy thrown) {
    StringBuilder text = new StringBuilder(2048);
    append(text, thrown, "", 0);
    return text.toString();
  }

  private static void append(StringBuilder text, IThrowableProxy thrown, String before, int depth) {
    text.append(before).append(OneLine.escaped(thrown.getClassName()));
    if (thrown.getMessage() != null) {
      text.append(": ").append(OneLine.escaped(thrown.getMessage()));
    }
    text.append(CoreConstants.LINE_SEPARATOR);
    StackTraceElementProxy[] stack = thrown.getStackTraceElementProxyArray();
    int shown = stack.length - thrown.getCommonFrames();
    for (int i = 0; i < shown; i++) {
      text.append('\t').append(stack[i].getSTEAsString()).append(CoreConstants.LINE_SEPARATOR);
    }
    if (thrown.getCommonFrames() > 0) {
      text.append("\t... ")
          .append(thrown.getCommonFrames())
          .append(" common frames omitted")
          .append(CoreConstants.LINE_SEPARATOR);
    }
    if (depth >= MOST_CAUSES || thrown.isCyclic()) {
      return;
    }
    for (IThrowableProxy suppressed : thrown.getSuppressed()) {
      append(text, suppressed, "\tSuppressed: ", depth + 1);
    }
    if (thrown.getCause() != null) {
      append(text, thrown.getCause(), "    Caused by: ", depth + 1);
    }
  }
}
