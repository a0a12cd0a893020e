package dev.queenmq.server.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads settings from an environment, and collects mistakes instead of stopping at the first. */
final class SettingsReader {

  private final Map<String, String> environment;
  private final Machine machine;
  // A set: two parts of the configuration may read the same setting.
  private final Set<String> mistakes = new LinkedHashSet<>();

  SettingsReader(Map<String, String> environment, Machine machine) {
    this.environment = environment;
    this.machine = machine;
  }

  /** Of an environment that sets nothing, for tools and tests. */
  static SettingsReader defaults() {
    return new SettingsReader(Map.of(), Machine.current());
  }

  /** What some defaults depend on. */
  Machine machine() {
    return machine;
  }

  /** The value of a setting that has a default. */
  <T> T value(Setting<T> setting) {
    return optional(setting).orElseThrow();
  }

  /** The value of a setting; its default in place of one that is a mistake. */
  <T> Optional<T> optional(Setting<T> setting) {
    try {
      return setting.read(environment);
    } catch (IllegalArgumentException e) {
      mistakes.add(String.valueOf(e.getMessage()));
      return setting.read(Map.of());
    }
  }

  /** Adds what the parsers of single settings cannot see. */
  void mistake(String text) {
    mistakes.add(text);
  }

  /**
   * Fails if there were mistakes.
   *
   * @throws ConfigException with all of them
   */
  void finish() {
    if (!mistakes.isEmpty()) {
      throw new ConfigException(List.copyOf(mistakes));
    }
  }
}
