package dev.queenmq.server.config;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One environment variable: its name, default, meaning, and how its text becomes a value.
 *
 * @param name of the variable
 * @param fallback text that stands in when the variable is absent; empty means no value
 * @param accepted what the text may be, for people
 * @param meaning one or two sentences in Markdown
 * @param parser of the text; throws {@link IllegalArgumentException} for what is not accepted
 * @param <T> type of the value
 */
record Setting<T>(
    String name, String fallback, String accepted, String meaning, Function<String, T> parser) {

  /**
   * The value of this setting in an environment, if it has one. A blank variable counts as absent,
   * as deployment files write it.
   *
   * @throws IllegalArgumentException naming variable, value and what is accepted
   */
  Optional<T> read(Map<String, String> environment) {
    String given = environment.getOrDefault(name, "").strip();
    String text = given.isEmpty() ? fallback : given;
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be %s".formatted(name, text, accepted), e);
    }
  }
}
