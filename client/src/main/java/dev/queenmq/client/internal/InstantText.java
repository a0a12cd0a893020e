package dev.queenmq.client.internal;

import java.time.Instant;
import java.time.LocalDate;

/**
 * Reads the times of a broker. Each message has two of them, and the formatter of the platform
 * takes longer for them than the parser for the rest of the message.
 */
final class InstantText {
  private static final int SECONDS_END = 19;
  private static final int NANO_DIGITS = 9;

  private InstantText() {}

  /** As {@link Instant#parse}; quick for texts like {@code 2026-11-17T12:00:00.123Z}. */
  static Instant parse(String text) {
    int length = text.length();
    if (length < SECONDS_END + 1
        || length > SECONDS_END + 2 + NANO_DIGITS
        || text.charAt(length - 1) != 'Z'
        || text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || text.charAt(10) != 'T'
        || text.charAt(13) != ':'
        || text.charAt(16) != ':') {
      return Instant.parse(text);
    }
    int year = number(text, 0, 4);
    int month = number(text, 5, 7);
    int day = number(text, 8, 10);
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, SECONDS_END);
    int nanos = nanos(text, length - 1);
    if (year < 0
        || month < 1
        || month > 12
        || day < 1
        || day > (month == 2 ? 28 : 30)
        || hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 59
        || nanos < 0) {
      // The last day of a long month, leap seconds, and what is wrong.
      return Instant.parse(text);
    }
    long seconds =
        LocalDate.of(year, month, day).toEpochDay() * 86_400L
            + hour * 3_600L
            + minute * 60L
            + second;
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** Of the fraction up to here, 0 without one; negative if it is none. */
  private static int nanos(String text, int end) {
    if (end == SECONDS_END) {
      return 0;
    }
    if (text.charAt(SECONDS_END) != '.' || end == SECONDS_END + 1) {
      return -1;
    }
    int nanos = number(text, SECONDS_END + 1, end);
    for (int digits = end - SECONDS_END - 1; digits < NANO_DIGITS && nanos > 0; digits++) {
      nanos *= 10;
    }
    return nanos;
  }

  /** The digits between these places; negative if there is anything else. */
  private static int number(String text, int from, int end) {
    int number = 0;
    for (int i = from; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
