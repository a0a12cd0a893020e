package dev.queenmq.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Everything that an operator can choose.
 *
 * @param startTimeout patience with a PostgreSQL that does not answer yet, or is busy
 */
public record ServerConfig(
    HttpConfig http,
    LogLevel logLevel,
    PostgresSource postgres,
    SessionConfig session,
    Duration startTimeout) {

  /**
   * Reads the environment, and then the flags, which win.
   *
   * @throws ConfigException with all mistakes at once
   */
  public static ServerConfig read(Map<String, String> environment, List<String> flags) {
    return new ConfigReader(Flags.over(environment, flags)).read();
  }

  /** The text of {@code --help}. */
  public static String help() {
    return SettingsHelp.text();
  }
}
