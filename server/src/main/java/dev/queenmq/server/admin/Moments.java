package dev.queenmq.server.admin;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments as the HTTP contract writes them: UTC, milliseconds. */
final class Moments {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Moments() {}

  static String text(OffsetDateTime moment) {
    return FORMAT.format(moment);
  }
}
