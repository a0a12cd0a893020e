package dev.queenmq.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns an environment into a configuration, collecting mistakes instead of stopping at one. */
final class ConfigReader {

  private final Map<String, String> environment;
  private final List<String> mistakes = new ArrayList<>();

  ConfigReader(Map<String, String> environment) {
    this.environment = environment;
  }

  ServerConfig read() {
    ServerConfig config =
        new ServerConfig(
            new HttpConfig(value(Settings.HOST), value(Settings.PORT)),
            value(Settings.LOG_LEVEL),
            source(),
            session(),
            value(Settings.QUEEN_START_TIMEOUT));
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return config;
  }

  private PostgresSource source() {
    // Both kinds are read in any case, so that a mistake in either is told.
    PostgresSource embedded =
        new PostgresSource.Embedded(
            value(Settings.QUEEN_DATA_DIR), optional(Settings.QUEEN_PG_BIN));
    PostgresEndpoint own =
        new PostgresEndpoint(
            optional(Settings.PG_HOST).orElse(""),
            value(Settings.PG_PORT),
            value(Settings.PG_DB),
            value(Settings.PG_USER),
            value(Settings.PG_PASSWORD),
            tls());
    return own.host().isEmpty() ? embedded : new PostgresSource.External(own);
  }

  private Tls tls() {
    boolean encrypt = value(Settings.PG_USE_SSL);
    boolean verify = value(Settings.PG_SSL_REJECT_UNAUTHORIZED);
    Optional<Path> rootCertificate = optional(Settings.PG_SSL_ROOT_CERT);
    if (!encrypt) {
      return new Tls.Off();
    }
    return verify ? new Tls.Verified(rootCertificate) : new Tls.Unverified();
  }

  private SessionConfig session() {
    return new SessionConfig(
        value(Settings.DB_CONNECTION_TIMEOUT),
        value(Settings.DB_STATEMENT_TIMEOUT),
        value(Settings.DB_LOCK_TIMEOUT),
        value(Settings.QUEEN_PG_POOLER),
        value(Settings.QUEEN_PG_PIPELINING));
  }

  private <T> T value(Setting<T> setting) {
    return optional(setting).orElseThrow();
  }

  private <T> Optional<T> optional(Setting<T> setting) {
    try {
      return setting.read(environment);
    } catch (IllegalArgumentException e) {
      mistakes.add(String.valueOf(e.getMessage()));
      return setting.read(Map.of());
    }
  }
}
