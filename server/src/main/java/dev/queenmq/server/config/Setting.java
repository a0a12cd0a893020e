package dev.queenmq.server.config;

import dev.queenmq.server.config.values.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One environment variable: its name, default, meaning, and how its text becomes a value.
 *
 * @param name of the variable
 * @param otherNames that are accepted too, from older deployment files; the first that is set
 *     counts
 * @param fallback text that stands in when the variable is absent; empty means no value
 * @param fallbackWords of a default that depends on the machine or on other settings, for people;
 *     empty if the fallback says it all
 * @param accepted what the text may be, for people
 * @param meaning one or two sentences in Markdown
 * @param parser of the text; throws {@link IllegalArgumentException} for what is not accepted
 * @param <T> type of the value
 */
record Setting<T>(
    String name,
    List<String> otherNames,
    String fallback,
    String fallbackWords,
    String accepted,
    String meaning,
    Function<String, T> parser) {

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final String SERVICE_LINK =
      ". Kubernetes sets this variable for a service of that name: set enableServiceLinks to false"
          + " in the pod, or rename the service";

  Setting(
      String name, String fallback, String accepted, String meaning, Function<String, T> parser) {
    this(name, List.of(), fallback, "", accepted, meaning, parser);
  }

  /** The same, also under another name. */
  Setting<T> orNamed(String other) {
    List<String> others = Stream.concat(otherNames.stream(), Stream.of(other)).toList();
    return new Setting<>(name, others, fallback, fallbackWords, accepted, meaning, parser);
  }

  /** The same with a default that is worked out when the setting is read. */
  Setting<T> otherwise(String words) {
    return new Setting<>(name, otherNames, "", words, accepted, meaning, parser);
  }

  /** The default, for people; empty if there is none. */
  String describeFallback() {
    return fallbackWords.isEmpty() ? fallback : fallbackWords;
  }

  /**
   * The value of this setting in an environment, if it has one. A blank variable counts as absent,
   * as deployment files write it.
   *
   * @throws IllegalArgumentException naming variable, value and what is accepted
   */
  Optional<T> read(Map<String, String> environment) {
    String used =
        Stream.concat(Stream.of(name), otherNames.stream())
            .filter(candidate -> !environment.getOrDefault(candidate, "").isBlank())
            .findFirst()
            .orElse(name);
    String given = environment.getOrDefault(used, "").strip();
    String text = given.isEmpty() ? fallback : given;
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be %s%s"
              .formatted(used, text, accepted, isServiceAddress(text) ? SERVICE_LINK : ""),
          e);
    }
  }

  /** Whether a value is one that Kubernetes sets, in a variable that happens to be ours. */
  static boolean isServiceAddress(String value) {
    return SERVICE_ADDRESS.matcher(value).matches();
  }

  /** Settings that belong together. */
  record Group(String title, List<Setting<?>> settings) {}

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
        "one of " + Arrays.stream(all).map(Setting::spelling).collect(Collectors.joining(", ")),
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
