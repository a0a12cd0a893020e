package dev.queenmq.server.http.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Moments as text, in UTC. */
public final class Timestamps {
  private static final int DATE_LENGTH = "2026-01-01".length();

  /** The first and the last moment that four digits are enough for. */
  public static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Timestamps() {}

  public static String millis(Instant moment) {
    return text(moment, 3);
  }

  public static String micros(Instant moment) {
    return text(moment, 6);
  }

  /** As PostgreSQL writes a moment into JSON: no zeros at the end, and the offset in numbers. */
  public static String offset(Instant moment) {
    String text = micros(moment);
    int end = text.length() - 1;
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end) + "+00:00";
  }

  /**
   * Reads a date, or a date and a time, with an offset or in UTC; null if it is none. A space may
   * stand for the T, and, as a query makes of it, for the plus of an offset.
   */
  public static @Nullable Instant parse(String text) {
    StringBuilder iso = new StringBuilder(text.trim());
    if (iso.length() > DATE_LENGTH && iso.charAt(DATE_LENGTH) == ' ') {
      iso.setCharAt(DATE_LENGTH, 'T');
    }
    int space = iso.indexOf(" ");
    if (space > DATE_LENGTH) {
      iso.setCharAt(space, '+');
    }
    try {
      Instant moment = moment(iso.toString()).toInstant();
      return moment.isBefore(FIRST) || moment.isAfter(LAST) ? null : moment;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static OffsetDateTime moment(String iso) {
    if (iso.length() == DATE_LENGTH) {
      return LocalDate.parse(iso).atStartOfDay().atOffset(ZoneOffset.UTC);
    }
    boolean offset =
        iso.endsWith("Z")
            || iso.endsWith("z")
            || iso.indexOf('+') > 0
            || iso.indexOf('-', DATE_LENGTH) > 0;
    return offset ? OffsetDateTime.parse(iso) : LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC);
  }

  /** By hand, since a formatter costs more than the rest of a message. */
  private static String text(Instant moment, int digits) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(moment.getEpochSecond(), moment.getNano(), ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(27);
    padded(text, time.getYear(), 4);
    padded(text.append('-'), time.getMonthValue(), 2);
    padded(text.append('-'), time.getDayOfMonth(), 2);
    padded(text.append('T'), time.getHour(), 2);
    padded(text.append(':'), time.getMinute(), 2);
    padded(text.append(':'), time.getSecond(), 2);
    padded(text.append('.'), time.getNano() / (digits == 6 ? 1_000 : 1_000_000), digits);
    return text.append('Z').toString();
  }

  private static void padded(StringBuilder text, int value, int digits) {
    for (int unit = (int) Math.pow(10, digits - 1); unit > 1 && value < unit; unit /= 10) {
      text.append('0');
    }
    text.append(value);
  }
}
