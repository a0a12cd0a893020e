package dev.queenmq.server.admin;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Moments as the HTTP contract writes them: UTC, milliseconds. */
public final class Moments {

  private Moments() {}

  /** By hand, since a formatter costs more than the rest of a partition on a page of thousands. */
  public static String text(OffsetDateTime moment) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(moment.toEpochSecond(), moment.getNano(), ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(24);
    padded(text, time.getYear(), 1_000);
    padded(text.append('-'), time.getMonthValue(), 10);
    padded(text.append('-'), time.getDayOfMonth(), 10);
    padded(text.append('T'), time.getHour(), 10);
    padded(text.append(':'), time.getMinute(), 10);
    padded(text.append(':'), time.getSecond(), 10);
    padded(text.append('.'), time.getNano() / 1_000_000, 100);
    return text.append('Z').toString();
  }

  /** Appends a number, padded with zeros to the length of its unit. */
  private static void padded(StringBuilder text, int value, int unit) {
    for (int digit = unit; digit > 1 && value < digit; digit /= 10) {
      text.append('0');
    }
    text.append(value);
  }
}
