package dev.queenmq.server.config.catalogue;

import dev.queenmq.server.config.values.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of values that settings have. */
final class SettingKinds {

  private SettingKinds() {}

  static Setting<String> text(String name, String fallback, String meaning) {
    return new Setting<>(name, fallback, "a text", meaning, Function.identity());
  }

  static Setting<Secret> secret(String name, String fallback, String meaning) {
    return new Setting<>(name, fallback, "a text", meaning, Secret::new);
  }

  static Setting<Path> path(String name, String fallback, String meaning) {
    return new Setting<>(name, fallback, "a path", meaning, Path::of);
  }

  static Setting<Boolean> flag(String name, boolean fallback, String meaning) {
    return new Setting<>(
        name,
        Boolean.toString(fallback),
        "true or false",
        meaning,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("neither true nor false");
            });
  }

  static Setting<Integer> number(String name, int fallback, int from, int to, String meaning) {
    return new Setting<>(
        name,
        Integer.toString(fallback),
        "a whole number from %d to %d".formatted(from, to),
        meaning,
        text -> within(Integer.parseInt(text), from, to));
  }

  static Setting<Duration> millis(String name, int fallback, int from, int to, String meaning) {
    return new Setting<>(
        name,
        Integer.toString(fallback),
        "a number of milliseconds from %d to %d".formatted(from, to),
        meaning,
        text -> Duration.ofMillis(within(Integer.parseInt(text), from, to)));
  }

  static Setting<Long> bytes(String name, String fallback, long from, long to, String meaning) {
    return new Setting<>(
        name,
        fallback,
        "a number of bytes from %d to %d".formatted(from, to),
        meaning,
        text -> within(Long.parseLong(text), from, to));
  }

  static Setting<Double> decimal(
      String name, double fallback, double from, double to, String meaning) {
    return new Setting<>(
        name,
        Double.toString(fallback),
        "a number from %s to %s".formatted(from, to),
        meaning,
        text -> {
          double value = Double.parseDouble(text);
          // Not the other way round: it may be no number at all.
          if (value >= from && value <= to) {
            return value;
          }
          throw new IllegalArgumentException("out of range");
        });
  }

  static <E extends Enum<E>> Setting<E> choice(String name, E fallback, String meaning) {
    E[] all = fallback.getDeclaringClass().getEnumConstants();
    return new Setting<>(
        name,
        spelling(fallback),
        "one of "
            + Arrays.stream(all).map(SettingKinds::spelling).collect(Collectors.joining(", ")),
        meaning,
        text ->
            Arrays.stream(all)
                .filter(value -> spelling(value).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not a choice")));
  }

  private static String spelling(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int within(int value, int from, int to) {
    return Math.toIntExact(within((long) value, from, to));
  }

  private static long within(long value, long from, long to) {
    if (value < from || value > to) {
      throw new IllegalArgumentException("out of range");
    }
    return value;
  }
}
