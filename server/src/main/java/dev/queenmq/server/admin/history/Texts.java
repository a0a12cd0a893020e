package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.Moments;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments of charts: UTC, without a fraction. */
final class Texts {
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Texts() {}

  static String bucket(OffsetDateTime moment) {
    return SECONDS.format(moment);
  }

  static String millis(OffsetDateTime moment) {
    return Moments.text(moment);
  }
}
