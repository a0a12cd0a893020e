package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.values.ClientCertificate;
import dev.queenmq.server.config.values.LogFormat;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.SubscriptionMode;
import dev.queenmq.server.config.values.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Defaults, and every variable. */
class ServerConfigTest {
  private static final String SECRET = "0123456789abcdefABCDEF".repeat(2) + "0".repeat(20);
  private static final String KEY = "c0ffee42".repeat(8);
  private static final Machine MACHINE = new Machine(4, 512 << 20, 1 << 20);

  @Test
  void read_hasADefaultForEverything() {
    assertThat(read(Map.of()))
        .isEqualTo(
            new ServerConfig(
                new HttpConfig(
                    "0.0.0.0",
                    6632,
                    16_384,
                    67_108_864,
                    512,
                    10_000,
                    256L << 20,
                    Duration.ZERO,
                    Duration.ZERO,
                    ProtectionConfigTest.DEFAULTS),
                LogLevel.INFO,
                new PostgresSource.Embedded(Path.of("./data"), Optional.empty()),
                SessionConfig.defaults(),
                Duration.ofMinutes(1),
                LogFormat.TEXT,
                "queen",
                new SidecarConfig(
                    2,
                    6,
                    1_000,
                    4 << 20,
                    Duration.ZERO,
                    100_000,
                    128 << 20,
                    100_000,
                    Duration.ofSeconds(35)),
                new PopConfig(
                    1,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    SubscriptionMode.ALL,
                    204,
                    new PopConfig.Backoff(100, 3, 2.0, 1_000)),
                new ClusterConfig(
                    true,
                    List.of(),
                    "localhost:6633",
                    "0.0.0.0",
                    6633,
                    Optional.empty(),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    8 << 20,
                    Duration.ofMinutes(1),
                    10_000,
                    Duration.ofMinutes(5)),
                new EncryptionConfig(Optional.empty(), Optional.empty(), false),
                new SpoolConfig(Path.of("./data/spool"), 1L << 30, Duration.ofSeconds(2)),
                new UpkeepConfig(
                    Duration.ofMinutes(5),
                    1_000,
                    Duration.ofMinutes(1),
                    1_000,
                    Duration.ofHours(1),
                    30,
                    30),
                new StatisticsConfig(
                    Machine.hostName(),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(1),
                    1_000,
                    7,
                    7,
                    Duration.ofSeconds(10),
                    20_000,
                    200,
                    true,
                    Optional.empty()),
                AuthConfig.defaults(),
                new BoundsConfig(true, 100_000, 10_000_000, 1_000_000, 10_000, 1_000_000, 100_000),
                List.of()));
  }

  @Test
  void read_takesEveryVariable() {
    Map<String, String> environment = new HashMap<>();
    environment.put("QUEEN_PUSH_CREATES_QUEUES", "false");
    environment.put("QUEEN_MAX_QUEUES", "1");
    environment.put("QUEEN_MAX_PARTITIONS", "2");
    environment.put("QUEEN_MAX_GROUPS", "3");
    environment.put("QUEEN_MAX_NEW_QUEUES_PER_TOKEN", "4");
    environment.put("QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN", "5");
    environment.put("QUEEN_MAX_NEW_GROUPS_PER_TOKEN", "6");
    environment.put("PORT", "7000");
    environment.put("HOST", "127.0.0.1");
    environment.put("LOG_LEVEL", "Warn");
    environment.put("PG_HOST", "db.example");
    environment.put("QUEEN_ALLOW_UNSAFE_POSTGRES", "true");
    environment.put("PG_PORT", "6543");
    environment.put("PG_DB", "queen");
    environment.put("PG_USER", "bee");
    environment.put("PG_PASSWORD", "honey");
    environment.put("PG_USE_SSL", "true");
    environment.put("PG_SSL_ROOT_CERT", "/etc/ca.pem");
    environment.put("PG_SSL_CERT", "/etc/bee.pem");
    environment.put("PG_SSL_KEY", "/etc/bee.key");
    environment.put("QUEEN_PG_POOLER", "transaction-prepared");
    environment.put("DB_CONNECTION_TIMEOUT", "3000");
    environment.put("DB_STATEMENT_TIMEOUT", "4000");
    environment.put("DB_LOCK_TIMEOUT", "0");
    environment.put("QUEEN_PG_PIPELINING", "16");
    environment.put("QUEEN_START_TIMEOUT", "5000");
    environment.put("LOG_FORMAT", "json");
    environment.put("WORKER_ID", "bee-1");
    environment.put("NUM_WORKERS", "2");
    environment.put("UWS_HTTP_MAX_HEADERS_SIZE", "8192");
    environment.put("QUEEN_MAX_BODY_BYTES", "1048576");
    environment.put("QUEEN_MAX_JSON_DEPTH", "64");
    environment.put("QUEEN_MAX_ITEMS_PER_REQUEST", "500");
    environment.put("QUEEN_MAX_MEMORY_BYTES", "3145728");
    environment.put("SIDECAR_POOL_SIZE", "6");
    environment.put("MICRO_BATCH_WAIT_MS", "3");
    environment.put("MAX_ITEMS_PER_TX", "250");
    environment.put("QUEEN_MAX_BYTES_PER_TX", "65536");
    environment.put("QUEEN_MAX_PENDING_ITEMS", "700");
    environment.put("QUEEN_MAX_PENDING_BYTES", "8589934592");
    environment.put("MAX_WAITING", "800");
    environment.put("LIBQUEEN_INFLIGHT_DEADLINE_MS", "6000");
    environment.put("DEFAULT_BATCH_SIZE", "10");
    environment.put("DEFAULT_TIMEOUT", "1000");
    environment.put("QUEEN_MAX_WAIT_MS", "9000");
    environment.put("DEFAULT_SUBSCRIPTION_MODE", "new-only");
    environment.put("QUEEN_EMPTY_POP_STATUS", "200");
    environment.put("POP_WAIT_INITIAL_INTERVAL_MS", "50");
    environment.put("POP_WAIT_BACKOFF_THRESHOLD", "5");
    environment.put("POP_WAIT_BACKOFF_MULTIPLIER", "1.5");
    environment.put("POP_WAIT_MAX_INTERVAL_MS", "2000");
    environment.put("STATS_RECONCILE_INTERVAL_MS", "10000");
    environment.put("STATS_INTERVAL_MS", "2000");
    environment.put("QUEEN_STATS_LIVE_LIMIT", "40");
    environment.put("METRICS_AGGREGATE_INTERVAL_S", "5");
    environment.put("METRICS_SAMPLE_INTERVAL_MS", "200");
    environment.put("STATS_HISTORY_RETENTION_DAYS", "3");
    environment.put("METRICS_RETENTION_DAYS", "4");
    environment.put("QUEEN_STATS_MAX_QUEUES", "30");
    environment.put("QUEEN_METRICS_MAX_QUEUES", "50");
    environment.put("QUEEN_DASHBOARD", "false");
    environment.put("QUEEN_UDP_PEERS", "other, third:7001");
    environment.put("QUEEN_UDP_NOTIFY_PORT", "7000");
    environment.put("QUEEN_UDP_HOST", "::");
    environment.put("HOSTNAME", "hive");
    environment.put("QUEEN_SYNC_ENABLED", "true");
    environment.put("QUEEN_SYNC_SECRET", SECRET);
    environment.put("QUEEN_SYNC_HEARTBEAT_MS", "200");
    environment.put("QUEEN_SYNC_DEAD_THRESHOLD_MS", "900");
    environment.put("QUEEN_SYNC_RECV_BUFFER_MB", "2");
    environment.put("QUEEN_CACHE_REFRESH_INTERVAL_MS", "3000");
    environment.put("QUEEN_CACHE_PARTITION_MAX", "50");
    environment.put("QUEEN_CACHE_PARTITION_TTL_MS", "4000");
    environment.put("QUEEN_ENCRYPTION_KEY", KEY);
    environment.put("QUEEN_ENCRYPTION_KEY_PREVIOUS", SECRET);
    environment.put("QUEEN_ENCRYPTION_ALLOW_PLAINTEXT", "true");
    environment.put("QUEEN_SPOOL_DIR", "/var/spool/q");
    environment.put("SPOOL_MAX_BYTES", "0");
    environment.put("QUEEN_SPOOL_DEADLINE_MS", "500");
    environment.put("RETENTION_INTERVAL", "1000");
    environment.put("RETENTION_BATCH_SIZE", "10");
    environment.put("EVICTION_INTERVAL", "2000");
    environment.put("EVICTION_BATCH_SIZE", "20");
    environment.put("QUEEN_CLEANUP_INTERVAL_MS", "3000");
    environment.put("PARTITION_CLEANUP_DAYS", "4");
    environment.put("QUEEN_DRAIN_MS", "7000");
    environment.put("QUEEN_WARM_UP_MS", "1500");
    environment.put("DLQ_RETENTION_DAYS", "0");

    assertThat(read(environment))
        .isEqualTo(
            new ServerConfig(
                new HttpConfig(
                    "127.0.0.1",
                    7000,
                    8_192,
                    1 << 20,
                    64,
                    500,
                    3L << 20,
                    Duration.ofSeconds(7),
                    Duration.ofMillis(1_500),
                    ProtectionConfigTest.DEFAULTS),
                LogLevel.WARN,
                new PostgresSource.External(
                    new PostgresEndpoint(
                        "db.example",
                        6543,
                        "queen",
                        "bee",
                        new Secret("honey"),
                        new Tls.Verified(
                            Optional.of(Path.of("/etc/ca.pem")),
                            Optional.of(
                                new ClientCertificate(
                                    Path.of("/etc/bee.pem"), Path.of("/etc/bee.key"))))),
                    true),
                new SessionConfig(
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(4),
                    Duration.ZERO,
                    Pooler.TRANSACTION_PREPARED,
                    16),
                Duration.ofSeconds(5),
                LogFormat.JSON,
                "bee-1",
                new SidecarConfig(
                    2,
                    6,
                    250,
                    65_536,
                    Duration.ofMillis(3),
                    700,
                    8L << 30,
                    800,
                    Duration.ofSeconds(6)),
                new PopConfig(
                    10,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(9),
                    SubscriptionMode.NEW,
                    200,
                    new PopConfig.Backoff(50, 5, 1.5, 2_000)),
                new ClusterConfig(
                    true,
                    List.of(new PeerHost("other", 7000), new PeerHost("third", 7001)),
                    "hive:7000",
                    "::",
                    7000,
                    Optional.of(new Secret(SECRET)),
                    Duration.ofMillis(200),
                    Duration.ofMillis(900),
                    2 << 20,
                    Duration.ofSeconds(3),
                    50,
                    Duration.ofSeconds(4)),
                new EncryptionConfig(
                    Optional.of(new Secret(KEY)), Optional.of(new Secret(SECRET)), true),
                new SpoolConfig(Path.of("/var/spool/q"), 0, Duration.ofMillis(500)),
                new UpkeepConfig(
                    Duration.ofSeconds(1),
                    10,
                    Duration.ofSeconds(2),
                    20,
                    Duration.ofSeconds(3),
                    4,
                    0),
                new StatisticsConfig(
                    "hive",
                    Duration.ofSeconds(5),
                    Duration.ofMillis(200),
                    30,
                    3,
                    4,
                    Duration.ofSeconds(2),
                    40,
                    50,
                    false,
                    Optional.empty()),
                AuthConfig.defaults(),
                new BoundsConfig(false, 1, 2, 3, 4, 5, 6),
                List.of("STATS_RECONCILE_INTERVAL_MS")));
  }

  @Test
  void constructor_fillsInDefaults_forToolsAndTests() {
    ServerConfig usual = ServerConfig.read(Map.of(), List.of());

    assertThat(
            new ServerConfig(
                new HttpConfig("0.0.0.0", 6632),
                usual.logLevel(),
                usual.postgres(),
                usual.session(),
                usual.startTimeout()))
        .usingRecursiveComparison()
        // Several of them share a folder.
        .ignoringFields("spool")
        .isEqualTo(usual);
    assertThat(SidecarConfig.defaults()).isEqualTo(usual.sidecar());
    assertThat(PopConfig.defaults()).isEqualTo(usual.pop());
    assertThat(ClusterConfig.defaults()).isEqualTo(usual.cluster());
    assertThat(EncryptionConfig.defaults()).isEqualTo(usual.encryption());
    assertThat(UpkeepConfig.defaults()).isEqualTo(usual.upkeep());
    assertThat(StatisticsConfig.defaults()).isEqualTo(usual.statistics());
  }

  @Test
  void read_fitsDefaultsToTheMachine() {
    assertThat(sidecar(new Machine(1, 64 << 20, 1 << 20)))
        .returns(1, SidecarConfig::workers)
        .returns(3, SidecarConfig::slots)
        .returns(16L << 20, SidecarConfig::maxPendingBytes);
    assertThat(sidecar(new Machine(64, 32L << 30, 1 << 20)))
        .returns(8, SidecarConfig::workers)
        .returns(24, SidecarConfig::slots)
        .returns(256L << 20, SidecarConfig::maxPendingBytes);
    assertThat(read(Map.of("NUM_WORKERS", "40")).sidecar().slots()).isEqualTo(32);
  }

  @Test
  void read_leavesHalfOfTheCores_toAPostgresOnTheSameMachine() {
    Machine two = new Machine(2, 512 << 20, 1 << 20);
    Map<String, String> elsewhere = Map.of("PG_HOST", "db.example");

    assertThat(sidecar(two)).returns(1, SidecarConfig::workers).returns(3, SidecarConfig::slots);
    assertThat(ServerConfig.read(elsewhere, two).sidecar())
        .returns(2, SidecarConfig::workers)
        .returns(6, SidecarConfig::slots);
    assertThat(read(Map.of("NUM_WORKERS", "4")).sidecar()).returns(4, SidecarConfig::workers);
  }

  @Test
  void read_givesPostgresTimeToSayWhy_beforeACallIsGivenUp() {
    assertThat(read(Map.of("DB_STATEMENT_TIMEOUT", "1000")).sidecar().inflightDeadline())
        .isEqualTo(Duration.ofSeconds(6));
    assertThat(read(Map.of("DB_STATEMENT_TIMEOUT", "0")).sidecar().inflightDeadline())
        .isEqualTo(Duration.ofHours(1).plusSeconds(5));
  }

  private static ServerConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, MACHINE);
  }

  private static SidecarConfig sidecar(Machine machine) {
    return ServerConfig.read(Map.of(), machine).sidecar();
  }
}
