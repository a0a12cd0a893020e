package dev.queenmq.client;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A W3C trace context as it travels with a message. The protocol has one field for traces, {@code
 * traceId}, which is a UUID: the trace id, 16 bytes, fits. The id of the parent span and the flags
 * do not; they stand at the end of a transaction id that the client made ({@code ID~SPAN-FLAGS}).
 */
record TraceContext(String traceId, String spanId, String flags) {
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final Pattern SUFFIX = Pattern.compile(".*~([0-9a-f]{16})-([0-9a-f]{2})");

  /** Reads a {@code traceparent}; what is not one is none. */
  static Optional<TraceContext> parse(@Nullable String traceparent) {
    if (traceparent == null) {
      return Optional.empty();
    }
    Matcher matcher = TRACEPARENT.matcher(traceparent);
    return matcher.matches()
        ? Optional.of(new TraceContext(matcher.group(1), matcher.group(2), matcher.group(3)))
        : Optional.empty();
  }

  /** That of a message that was received, if it has all of it. */
  static Optional<TraceContext> of(@Nullable String traceUuid, String transactionId) {
    if (traceUuid == null) {
      return Optional.empty();
    }
    Matcher matcher = SUFFIX.matcher(transactionId);
    return matcher.matches()
        ? Optional.of(
            new TraceContext(traceUuid.replace("-", ""), matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  String toTraceparent() {
    return "00-" + traceId + "-" + spanId + "-" + flags;
  }

  UUID asUuid() {
    return new UUID(
        Long.parseUnsignedLong(traceId.substring(0, 16), 16),
        Long.parseUnsignedLong(traceId.substring(16), 16));
  }

  String appendTo(String transactionId) {
    return transactionId + "~" + spanId + "-" + flags;
  }
}
