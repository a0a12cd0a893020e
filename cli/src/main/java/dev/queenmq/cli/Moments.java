package dev.queenmq.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Times as people type and read them. */
public final class Moments {
  private static final Pattern LENGTH =
      Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?", Pattern.CASE_INSENSITIVE);

  private Moments() {}

  /** Reads {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}; a number is seconds. */
  public static Duration duration(String text) {
    Matcher matcher = LENGTH.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time like 500ms, 30s, 5m, 2h or 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "s" : matcher.group(2).toLowerCase(Locale.ROOT);
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofSeconds(number);
    };
  }

  /** Reads an ISO 8601 time, UTC unless it has an offset; or how long ago it was. */
  public static Instant moment(String text) {
    String stripped = text.strip();
    if (LENGTH.matcher(stripped).matches()) {
      return Instant.now().minus(duration(stripped));
    }
    try {
      if (stripped.length() == "2026-11-15".length()) {
        return LocalDate.parse(stripped).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      return stripped.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$")
          ? OffsetDateTime.parse(stripped).toInstant()
          : LocalDateTime.parse(stripped).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is neither a time like 2026-11-15T09:00:00Z nor one ago like 2h");
    }
  }

  /** How long ago that was, in one number and one unit. */
  public static String age(@Nullable Instant moment) {
    return moment == null ? "" : length(Duration.between(moment, Instant.now()));
  }

  /** A length of time in one number and one unit. */
  public static String length(Duration length) {
    long seconds = Math.max(0, length.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 7_200) {
      return seconds / 60 + "m";
    }
    return seconds < 172_800 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
  }

  /** Without fractions of a second, which no person compares. */
  public static String text(@Nullable Instant moment) {
    return moment == null ? "" : Instant.ofEpochSecond(moment.getEpochSecond()).toString();
  }
}
