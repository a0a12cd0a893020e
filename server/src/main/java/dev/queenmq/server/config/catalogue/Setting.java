package dev.queenmq.server.config.catalogue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
public record Setting<T>(
    String name,
    List<String> otherNames,
    String fallback,
    String fallbackWords,
    String accepted,
    String meaning,
    Function<String, T> parser) {

  private static final String SERVICE_LINK =
      ". Kubernetes sets this variable for a service of that name: set enableServiceLinks to false"
          + " in the pod, or rename the service";

  public Setting(
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
  public Optional<T> read(Map<String, String> environment) {
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
              .formatted(
                  used, text, accepted, UnknownSettings.isServiceAddress(text) ? SERVICE_LINK : ""),
          e);
    }
  }
}
