package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerConfigTest {

  @Test
  void read_hasADefaultForEverything() {
    assertThat(read(Map.of()))
        .isEqualTo(
            new ServerConfig(
                new HttpConfig("0.0.0.0", 6632),
                LogLevel.INFO,
                new PostgresSource.Embedded(Path.of("./data"), Optional.empty()),
                SessionConfig.defaults(),
                Duration.ofMinutes(1)));
  }

  @Test
  void read_takesEveryVariable() {
    Map<String, String> environment = new HashMap<>();
    environment.put("PORT", "7000");
    environment.put("HOST", "127.0.0.1");
    environment.put("LOG_LEVEL", "Warn");
    environment.put("PG_HOST", "db.example");
    environment.put("PG_PORT", "6543");
    environment.put("PG_DB", "queen");
    environment.put("PG_USER", "bee");
    environment.put("PG_PASSWORD", "honey");
    environment.put("PG_USE_SSL", "true");
    environment.put("PG_SSL_ROOT_CERT", "/etc/ca.pem");
    environment.put("QUEEN_PG_POOLER", "transaction-prepared");
    environment.put("DB_CONNECTION_TIMEOUT", "3000");
    environment.put("DB_STATEMENT_TIMEOUT", "4000");
    environment.put("DB_LOCK_TIMEOUT", "0");
    environment.put("QUEEN_PG_PIPELINING", "16");
    environment.put("QUEEN_START_TIMEOUT", "5000");

    assertThat(read(environment))
        .isEqualTo(
            new ServerConfig(
                new HttpConfig("127.0.0.1", 7000),
                LogLevel.WARN,
                new PostgresSource.External(
                    new PostgresEndpoint(
                        "db.example",
                        6543,
                        "queen",
                        "bee",
                        new Secret("honey"),
                        new Tls.Verified(Optional.of(Path.of("/etc/ca.pem"))))),
                new SessionConfig(
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(4),
                    Duration.ZERO,
                    Pooler.TRANSACTION_PREPARED,
                    16),
                Duration.ofSeconds(5)));
  }

  @Test
  void read_usesTheGivenInstallation_whenEmbedded() {
    ServerConfig config = read(Map.of("QUEEN_DATA_DIR", "/var/q", "QUEEN_PG_BIN", "/opt/pg/bin"));

    assertThat(config.postgres())
        .isEqualTo(
            new PostgresSource.Embedded(Path.of("/var/q"), Optional.of(Path.of("/opt/pg/bin"))));
  }

  @Test
  void read_doesNotVerify_whenToldSo() {
    ServerConfig config =
        read(Map.of("PG_HOST", "db", "PG_USE_SSL", "true", "PG_SSL_REJECT_UNAUTHORIZED", "false"));

    assertThat(config.postgres())
        .extracting(source -> ((PostgresSource.External) source).endpoint().tls())
        .isEqualTo(new Tls.Unverified());
  }

  @Test
  void read_treatsBlankAsAbsent() {
    assertThat(read(Map.of("PG_HOST", "  ", "PORT", ""))).isEqualTo(read(Map.of()));
  }

  @Test
  void read_tellsAllMistakesAtOnce() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "PORT", "http",
                        "PG_PORT", "70000",
                        "PG_USE_SSL", "yes",
                        "LOG_LEVEL", "loud",
                        "DB_LOCK_TIMEOUT", "1.5")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "PORT is 'http', but must be a whole number from 0 to 65535"
                + "; LOG_LEVEL is 'loud', but must be one of trace, debug, info, warn, error,"
                + " critical, off"
                + "; PG_PORT is '70000', but must be a whole number from 1 to 65535"
                + "; PG_USE_SSL is 'yes', but must be true or false"
                + "; DB_LOCK_TIMEOUT is '1.5', but must be a number of milliseconds from 0 to"
                + " 3600000");
  }

  @Test
  void read_letsFlagsWin() {
    ServerConfig config =
        ServerConfig.read(
            Map.of("PORT", "1", "HOST", "::1"), List.of("--port", "7001", "--host=127.0.0.1"));

    assertThat(config.http()).isEqualTo(new HttpConfig("127.0.0.1", 7001));
  }

  @Test
  void read_refusesUnknownAndIncompleteFlags() {
    assertThatThrownBy(() -> ServerConfig.read(Map.of(), List.of("--prot", "--port")))
        .hasMessage(
            "unknown flag '--prot' (known: --port N, --host H); flag '--port' needs a value");
  }

  @Test
  void toString_masksThePassword() {
    String text = read(Map.of("PG_HOST", "db", "PG_PASSWORD", "honey")).toString();

    assertThat(text).contains("****").doesNotContain("honey");
  }

  private static ServerConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, List.of());
  }
}
