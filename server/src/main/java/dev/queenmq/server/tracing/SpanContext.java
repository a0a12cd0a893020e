package dev.queenmq.server.tracing;

import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a span across systems, as a W3C {@code traceparent} does.
 *
 * <p>A message carries one in fields that it has anyway. Its {@code traceId}, a UUID, is the trace
 * id. The span stands at the end of the transaction id ({@code ID~SPAN-FLAGS}) if the client wrote
 * it there. Otherwise it is the lower half of the message's id: the broker that took the message
 * gave its span that id, so that any broker can name the span without having stored it.
 *
 * @param traceHigh the first half of the trace id
 * @param traceLow the second half
 * @param spanId not zero
 * @param sampled whether the trace is kept
 */
record SpanContext(long traceHigh, long traceLow, long spanId, boolean sampled) {
  private static final Pattern TRACEPARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final Pattern SUFFIX = Pattern.compile(".*~([0-9a-f]{16})-([0-9a-f]{2})");
  private static final int SAMPLED = 1;

  /** Reads a header; what is not one is none, as the standard wants it. */
  static Optional<SpanContext> parse(@Nullable String traceparent) {
    if (traceparent == null) {
      return Optional.empty();
    }
    Matcher text = TRACEPARENT.matcher(traceparent);
    return text.matches()
        ? valid(
            new SpanContext(
                hex(text.group(1).substring(0, 16)),
                hex(text.group(1).substring(16)),
                hex(text.group(2)),
                sampled(text.group(3))))
        : Optional.empty();
  }

  /** What the producer wrote into a message, if it wrote all of it. */
  static Optional<SpanContext> ofProducer(@Nullable UUID traceId, String transactionId) {
    // Cheaper than the pattern, and most have none.
    if (traceId == null || transactionId.indexOf('~') < 0) {
      return Optional.empty();
    }
    Matcher text = SUFFIX.matcher(transactionId);
    return text.matches()
        ? valid(
            new SpanContext(
                traceId.getMostSignificantBits(),
                traceId.getLeastSignificantBits(),
                hex(text.group(1)),
                sampled(text.group(2))))
        : Optional.empty();
  }

  /** Of a message that was stored: the producer's, or that of the span which took it. */
  static Optional<SpanContext> ofMessage(
      @Nullable UUID traceId, String transactionId, UUID messageId) {
    if (traceId == null) {
      return Optional.empty();
    }
    Optional<SpanContext> producer = ofProducer(traceId, transactionId);
    return producer.isPresent()
        ? producer
        : valid(
            new SpanContext(
                traceId.getMostSignificantBits(),
                traceId.getLeastSignificantBits(),
                messageId.getLeastSignificantBits(),
                true));
  }

  /** The first of a trace. */
  static SpanContext root(boolean sampled) {
    return new SpanContext(random(), random(), random(), sampled);
  }

  /** Another of the same trace. */
  SpanContext child() {
    return new SpanContext(traceHigh, traceLow, random(), sampled);
  }

  /** The same span of the same trace, kept or not. */
  SpanContext sampled(boolean kept) {
    return new SpanContext(traceHigh, traceLow, spanId, kept);
  }

  /** The trace id as messages carry it. */
  UUID traceUuid() {
    return new UUID(traceHigh, traceLow);
  }

  String traceText() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(traceHigh) + hex.toHexDigits(traceLow);
  }

  String spanText() {
    return HexFormat.of().toHexDigits(spanId);
  }

  private static Optional<SpanContext> valid(SpanContext context) {
    return (context.traceHigh | context.traceLow) == 0 || context.spanId == 0
        ? Optional.empty()
        : Optional.of(context);
  }

  private static boolean sampled(String flags) {
    return (Integer.parseInt(flags, 16) & SAMPLED) != 0;
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  /** Not zero, which is no id. */
  private static long random() {
    long number = ThreadLocalRandom.current().nextLong();
    return number == 0 ? 1 : number;
  }
}
