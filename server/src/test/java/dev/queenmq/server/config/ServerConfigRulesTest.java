package dev.queenmq.server.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, which setting wins, and what is told about it. */
class ServerConfigRulesTest {
  private static final String KEY = "c0ffee42".repeat(8);
  private static final Machine MACHINE = new Machine(4, 512 << 20, 1 << 20);

  @Test
  void read_takesOlderNames_andPrefersTheNewer() {
    ServerConfig older =
        read(
            Map.of(
                "POP_WAIT_BASE_INTERVAL_MS", "70",
                "SIDECAR_MICRO_BATCH_WAIT_MS", "5",
                "SIDECAR_MAX_ITEMS_PER_TX", "300"));

    assertThat(older.pop().backoff().initialMillis()).isEqualTo(70);
    assertThat(older.sidecar().microBatchWait()).isEqualTo(Duration.ofMillis(5));
    assertThat(older.sidecar().maxItemsPerCall()).isEqualTo(300);
    assertThat(
            read(Map.of("SIDECAR_MAX_ITEMS_PER_TX", "300", "MAX_ITEMS_PER_TX", "20"))
                .sidecar()
                .maxItemsPerCall())
        .isEqualTo(20);
    assertThatThrownBy(() -> read(Map.of("SIDECAR_MICRO_BATCH_WAIT_MS", "long")))
        .hasMessage(
            "SIDECAR_MICRO_BATCH_WAIT_MS is 'long', but must be a number of milliseconds from 0 to"
                + " 1000");
  }

  @Test
  void read_cutsTheDefaultTimeoutToTheLimit() {
    assertThat(read(Map.of("DEFAULT_TIMEOUT", "180000")).pop().defaultTimeout())
        .isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void read_keepsTheCeilingOfIntervalsAboveTheFirst() {
    assertThat(read(Map.of("POP_WAIT_INITIAL_INTERVAL_MS", "3000")).pop().backoff().maxMillis())
        .isEqualTo(3000);
    assertThatThrownBy(() -> read(Map.of("POP_WAIT_MAX_INTERVAL_MS", "20")))
        .hasMessage(
            "POP_WAIT_MAX_INTERVAL_MS is '20', but must be at least POP_WAIT_INITIAL_INTERVAL_MS"
                + " (100)");
  }

  @Test
  void read_namesWhatIsSetWithoutMeaning() {
    assertThat(
            read(Map.of(
                    "DB_POOL_SIZE", "150",
                    "QUEEN_PUSH_MAX_HOLD_MS", "20",
                    "WEBAPP_ROOT", " ",
                    "JWT_ENABLED", "false"))
                .withoutMeaning())
        .containsExactly("QUEEN_PUSH_MAX_HOLD_MS", "DB_POOL_SIZE");
  }

  @Test
  void read_refusesToGoOnWithoutProtectionThatIsAskedFor() {
    assertThatThrownBy(() -> read(Map.of("JWT_ENABLED", "true")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "JWT_ENABLED is true and JWT_ALGORITHM is HS256, but JWT_SECRET is missing");
    assertThatThrownBy(() -> read(Map.of("JWT_ENABLED", "1")))
        .hasMessage("JWT_ENABLED is '1', but must be true or false");
  }

  @Test
  void read_refusesKeysThatAreNone_andDoesNotRepeatThem() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "QUEEN_ENCRYPTION_KEY",
                        "deadbeef",
                        "QUEEN_ENCRYPTION_KEY_PREVIOUS",
                        "x".repeat(64))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "QUEEN_ENCRYPTION_KEY has 8 characters, but a key has 64 hexadecimal characters;"
                + " make one with: openssl rand -hex 32",
            "QUEEN_ENCRYPTION_KEY_PREVIOUS has characters that are not hexadecimal digits, but")
        .message()
        .doesNotContain("deadbeef", "xxx");
    assertThat(read(Map.of("QUEEN_ENCRYPTION_KEY", KEY)).toString()).doesNotContain("c0ffee");
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
        .extracting(source -> ((PostgresSource.External) source).tls())
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
                        "DB_LOCK_TIMEOUT", "1.5",
                        "QUEEN_EMPTY_POP_STATUS", "404",
                        "DEFAULT_SUBSCRIPTION_MODE", "newest",
                        "POP_WAIT_BACKOFF_MULTIPLIER", "NaN",
                        "QUEEN_MAX_PENDING_BYTES", "256MB")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "PORT is 'http', but must be a whole number from 0 to 65535"
                + "; LOG_LEVEL is 'loud', but must be one of trace, debug, info, warn, error,"
                + " critical, off"
                + "; PG_PORT is '70000', but must be a whole number from 1 to 65535"
                + "; PG_USE_SSL is 'yes', but must be true or false"
                + "; DB_LOCK_TIMEOUT is '1.5', but must be a number of milliseconds from 0 to"
                + " 3600000"
                + "; QUEEN_MAX_PENDING_BYTES is '256MB', but must be a number of bytes from 1048576"
                + " to 1099511627776"
                + "; DEFAULT_SUBSCRIPTION_MODE is 'newest', but must be one of all, new, new-only"
                + "; QUEEN_EMPTY_POP_STATUS is '404', but must be 200 or 204"
                + "; POP_WAIT_BACKOFF_MULTIPLIER is 'NaN', but must be a number from 1.0 to 100.0");
  }

  @Test
  void read_letsFlagsWin() {
    ServerConfig config =
        ServerConfig.read(
            Map.of("PORT", "1", "HOST", "::1"), List.of("--port", "7001", "--host=127.0.0.1"));

    assertThat(config.http()).isEqualTo(new HttpConfig("127.0.0.1", 7001));
  }

  @Test
  void read_acceptsTheDevFlag_andListsItAsWithoutMeaning() {
    ServerConfig config = ServerConfig.read(Map.of(), List.of("--dev", "--port", "7001"));

    assertThat(config.http().port()).isEqualTo(7001);
    assertThat(config.withoutMeaning()).containsExactly("--dev");
    assertThat(ServerConfig.help()).contains("--dev");
  }

  @Test
  void read_refusesUnknownAndIncompleteFlags() {
    assertThatThrownBy(() -> ServerConfig.read(Map.of(), List.of("--prot", "--port")))
        .hasMessage(
            "unknown flag '--prot' (known: --port N, --host H, --dev); flag '--port' needs a"
                + " value");
  }

  @Test
  void toString_masksThePassword() {
    String text = read(Map.of("PG_HOST", "db", "PG_PASSWORD", "honey")).toString();

    assertThat(text).contains("****").doesNotContain("honey");
  }

  private static ServerConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, MACHINE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "db | 5432 | db:5432",
        "a,b | 5432 | a:5432 b:5432",
        "a:5433, b ,[::1]:5434 | 5432 | a:5433 b:5432 [::1]:5434",
        "a,b | 1,2 | a:1 b:2",
        "a:3,b | 1,2 | a:3 b:2",
        "::1 | 5432 | [::1]:5432",
        "a,a:5432,b | 5432 | a:5432 b:5432",
        "/run/postgresql | 5432 | /run/postgresql:5432",
      })
  void severalHosts(String hosts, String ports, String expected) {
    PostgresSource source = read(Map.of("PG_HOST", hosts, "PG_PORT", ports)).postgres();

    assertThat(
            ((PostgresSource.External) source)
                .servers().stream().map(PostgresEndpoint::address).collect(joining(" ")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a,,b | 5432 | PG_HOST is 'a,,b', but must be a host, or a comma list of hosts with or"
            + " without a port",
        "a:0 | 5432 | PG_HOST is 'a:0', but must be a host, or a comma list of hosts with or"
            + " without a port",
        "a,b,c | 1,2 | PG_PORT has 2 ports, but PG_HOST has 3 hosts: give one port for all, or one"
            + " for each",
        "a,b | 1,70000 | PG_PORT is '1,70000', but must be a whole number from 1 to 65535",
      })
  void hostsThatAreNone_areRefused(String hosts, String ports, String expected) {
    assertThatThrownBy(() -> read(Map.of("PG_HOST", hosts, "PG_PORT", ports)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(expected);
  }
}
