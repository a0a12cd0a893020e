package dev.queenmq.server.config;

import dev.queenmq.server.config.catalogue.BoundsSettings;
import dev.queenmq.server.config.catalogue.ClusterSettings;
import dev.queenmq.server.config.catalogue.EncryptionSettings;
import dev.queenmq.server.config.catalogue.IgnoredLegacySettings;
import dev.queenmq.server.config.catalogue.Machine;
import dev.queenmq.server.config.catalogue.PeerList;
import dev.queenmq.server.config.catalogue.PostgresHosts;
import dev.queenmq.server.config.catalogue.ServerId;
import dev.queenmq.server.config.catalogue.Setting;
import dev.queenmq.server.config.catalogue.Settings;
import dev.queenmq.server.config.catalogue.SpoolSettings;
import dev.queenmq.server.config.catalogue.StatisticsSettings;
import dev.queenmq.server.config.catalogue.UnknownSettings;
import dev.queenmq.server.config.catalogue.UpkeepSettings;
import dev.queenmq.server.config.values.ClientCertificate;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns an environment into a configuration, collecting mistakes instead of stopping at one. */
final class ConfigReader {

  private static final Duration DEADLINE_MARGIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_STATEMENT = Duration.ofHours(1);

  private final Map<String, String> environment;
  private final Machine machine;
  private final List<String> mistakes = new ArrayList<>();

  ConfigReader(Map<String, String> environment, Machine machine) {
    this.environment = environment;
    this.machine = machine;
  }

  ServerConfig read() {
    HttpConfig http = http();
    LogLevel logLevel = value(Settings.LOG_LEVEL);
    PostgresSource source = source();
    SessionConfig session = session();
    ServerConfig config =
        new ServerConfig(
            http,
            logLevel,
            source,
            session,
            value(Settings.QUEEN_START_TIMEOUT),
            value(Settings.LOG_FORMAT),
            value(Settings.WORKER_ID),
            sidecar(session),
            pop(),
            cluster(),
            encryption(),
            spool(),
            upkeep(),
            statistics(),
            new AuthReader(this, mistakes).read(),
            bounds(),
            IgnoredLegacySettings.setIn(environment));
    UnknownSettings.in(environment).stream()
        .filter(UnknownSettings.Unknown::isMistake)
        .map(UnknownSettings.Unknown::text)
        .forEach(mistakes::add);
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return config;
  }

  private HttpConfig http() {
    return new HttpConfig(
        value(Settings.HOST),
        value(Settings.PORT),
        value(Settings.UWS_HTTP_MAX_HEADERS_SIZE),
        value(Settings.QUEEN_MAX_BODY_BYTES),
        value(Settings.QUEEN_MAX_JSON_DEPTH),
        value(Settings.QUEEN_MAX_ITEMS_PER_REQUEST),
        optional(Settings.QUEEN_MAX_MEMORY_BYTES).orElseGet(machine::requestBytes),
        value(Settings.QUEEN_DRAIN_MS),
        new ProtectionReader(this, machine).read());
  }

  private PostgresSource source() {
    // Both kinds are read in any case, so that a mistake in either is told.
    PostgresSource embedded =
        new PostgresSource.Embedded(
            value(Settings.QUEEN_DATA_DIR), optional(Settings.QUEEN_PG_BIN));
    List<PostgresEndpoint> own = servers();
    boolean allowUnsafe = value(Settings.QUEEN_ALLOW_UNSAFE_POSTGRES);
    return own.isEmpty() ? embedded : new PostgresSource.External(own, allowUnsafe);
  }

  private List<PostgresEndpoint> servers() {
    List<PostgresHosts.Host> hosts = optional(Settings.PG_HOST).orElse(List.of());
    List<Integer> ports = value(Settings.PG_PORT);
    String database = value(Settings.PG_DB);
    String user = value(Settings.PG_USER);
    Secret password = optional(Settings.PG_PASSWORD).orElse(new Secret(""));
    Tls tls = tls();
    if (hosts.isEmpty()) {
      return List.of();
    }
    try {
      return PostgresHosts.together(hosts, ports).stream()
          .map(
              each -> new PostgresEndpoint(each.host(), each.port(), database, user, password, tls))
          .toList();
    } catch (IllegalArgumentException e) {
      mistake(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private Tls tls() {
    boolean encrypt = value(Settings.PG_USE_SSL);
    boolean verify = value(Settings.PG_SSL_REJECT_UNAUTHORIZED);
    Optional<Path> rootCertificate = optional(Settings.PG_SSL_ROOT_CERT);
    Optional<Path> certificate = optional(Settings.PG_SSL_CERT);
    Optional<Path> key = optional(Settings.PG_SSL_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      mistake("PG_SSL_CERT and PG_SSL_KEY need each other, but only one is set");
    }
    if (!encrypt) {
      return new Tls.Off();
    }
    Optional<ClientCertificate> client =
        certificate.flatMap(file -> key.map(its -> new ClientCertificate(file, its)));
    return verify ? new Tls.Verified(rootCertificate, client) : new Tls.Unverified(client);
  }

  private SessionConfig session() {
    return new SessionConfig(
        value(Settings.DB_CONNECTION_TIMEOUT),
        value(Settings.DB_STATEMENT_TIMEOUT),
        value(Settings.DB_LOCK_TIMEOUT),
        value(Settings.QUEEN_PG_POOLER),
        value(Settings.QUEEN_PG_PIPELINING));
  }

  private SidecarConfig sidecar(SessionConfig session) {
    int workers = optional(Settings.NUM_WORKERS).orElseGet(machine::workers);
    return new SidecarConfig(
        workers,
        optional(Settings.SIDECAR_POOL_SIZE).orElseGet(() -> Machine.slots(workers)),
        value(Settings.MAX_ITEMS_PER_TX),
        value(Settings.QUEEN_MAX_BYTES_PER_TX),
        value(Settings.MICRO_BATCH_WAIT_MS),
        value(Settings.QUEEN_MAX_PENDING_ITEMS),
        optional(Settings.QUEEN_MAX_PENDING_BYTES).orElseGet(machine::pendingBytes),
        value(Settings.MAX_WAITING),
        optional(Settings.LIBQUEEN_INFLIGHT_DEADLINE_MS)
            .orElseGet(() -> inflightDeadline(session.statementTimeout())));
  }

  /** PostgreSQL comes first: it tells why it gave up, and the connection stays. */
  private static Duration inflightDeadline(Duration statementTimeout) {
    Duration limit = statementTimeout.isZero() ? LONGEST_STATEMENT : statementTimeout;
    return limit.plus(DEADLINE_MARGIN);
  }

  private PopConfig pop() {
    Duration maxWait = value(Settings.QUEEN_MAX_WAIT_MS);
    Duration timeout = value(Settings.DEFAULT_TIMEOUT);
    return new PopConfig(
        value(Settings.DEFAULT_BATCH_SIZE),
        timeout.compareTo(maxWait) > 0 ? maxWait : timeout,
        maxWait,
        value(Settings.DEFAULT_SUBSCRIPTION_MODE),
        value(Settings.QUEEN_EMPTY_POP_STATUS),
        backoff());
  }

  private BackoffConfig backoff() {
    long initial = value(Settings.POP_WAIT_INITIAL_INTERVAL_MS).toMillis();
    long longest =
        optional(Settings.POP_WAIT_MAX_INTERVAL_MS)
            .map(Duration::toMillis)
            .orElse(Math.max(Settings.USUAL_MAX_INTERVAL_MS, initial));
    if (longest < initial) {
      mistakes.add(
          "POP_WAIT_MAX_INTERVAL_MS is '%d', but must be at least POP_WAIT_INITIAL_INTERVAL_MS (%d)"
              .formatted(longest, initial));
    }
    return new BackoffConfig(
        initial,
        value(Settings.POP_WAIT_BACKOFF_THRESHOLD),
        value(Settings.POP_WAIT_BACKOFF_MULTIPLIER),
        longest);
  }

  private ClusterConfig cluster() {
    int port = value(ClusterSettings.QUEEN_UDP_NOTIFY_PORT);
    List<PeerHost> peers =
        optional(ClusterSettings.QUEEN_UDP_PEERS).orElse(List.of()).stream()
            .map(
                peer -> peer.port() == PeerList.USUAL_PORT ? new PeerHost(peer.host(), port) : peer)
            .distinct()
            .toList();
    boolean enabled = value(ClusterSettings.QUEEN_SYNC_ENABLED);
    boolean active = enabled && !peers.isEmpty();
    String host =
        optional(ClusterSettings.HOSTNAME)
            .orElseGet(() -> active ? Machine.hostName() : "localhost");
    Optional<Secret> secret = optional(ClusterSettings.QUEEN_SYNC_SECRET);
    if (active) {
      checkSecret(secret);
    }
    Duration heartbeat = value(ClusterSettings.QUEEN_SYNC_HEARTBEAT_MS);
    Duration deadThreshold = value(ClusterSettings.QUEEN_SYNC_DEAD_THRESHOLD_MS);
    if (deadThreshold.compareTo(heartbeat) <= 0) {
      mistakes.add(
          "QUEEN_SYNC_DEAD_THRESHOLD_MS is '%d', but must be more than QUEEN_SYNC_HEARTBEAT_MS (%d)"
              .formatted(deadThreshold.toMillis(), heartbeat.toMillis()));
    }
    return new ClusterConfig(
        enabled,
        peers,
        ServerId.of(host, port),
        value(ClusterSettings.QUEEN_UDP_HOST),
        port,
        secret,
        heartbeat,
        deadThreshold,
        value(ClusterSettings.QUEEN_SYNC_RECV_BUFFER_MB) << 20,
        value(ClusterSettings.QUEEN_CACHE_REFRESH_INTERVAL_MS),
        value(ClusterSettings.QUEEN_CACHE_PARTITION_MAX),
        value(ClusterSettings.QUEEN_CACHE_PARTITION_TTL_MS));
  }

  private EncryptionConfig encryption() {
    return new EncryptionConfig(
        key(EncryptionSettings.QUEEN_ENCRYPTION_KEY),
        key(EncryptionSettings.QUEEN_ENCRYPTION_KEY_PREVIOUS),
        value(EncryptionSettings.QUEEN_ENCRYPTION_ALLOW_PLAINTEXT));
  }

  private SpoolConfig spool() {
    return new SpoolConfig(
        optional(SpoolSettings.QUEEN_SPOOL_DIR)
            .orElseGet(() -> value(Settings.QUEEN_DATA_DIR).resolve("spool")),
        value(SpoolSettings.SPOOL_MAX_BYTES),
        value(SpoolSettings.QUEEN_SPOOL_DEADLINE_MS));
  }

  private Optional<Secret> key(Setting<Secret> setting) {
    Optional<Secret> key = optional(setting);
    String wrong = key.map(ConfigReader::wrongKey).orElse("");
    if (!wrong.isEmpty()) {
      mistakes.add(
          "%s %s, but a key has 64 hexadecimal characters; make one with: openssl rand -hex 32"
              .formatted(setting.name(), wrong));
    }
    return key;
  }

  /** What is wrong with a key, without a word of its text; empty if nothing is. */
  private static String wrongKey(Secret secret) {
    String text = secret.value();
    if (text.length() != ClusterConfig.SECRET_LENGTH) {
      return "has %d characters".formatted(text.length());
    }
    return text.chars().allMatch(HexFormat::isHexDigit)
        ? ""
        : "has characters that are not hexadecimal digits";
  }

  private UpkeepConfig upkeep() {
    return new UpkeepConfig(
        value(UpkeepSettings.RETENTION_INTERVAL),
        value(UpkeepSettings.RETENTION_BATCH_SIZE),
        value(UpkeepSettings.EVICTION_INTERVAL),
        value(UpkeepSettings.EVICTION_BATCH_SIZE),
        value(UpkeepSettings.QUEEN_CLEANUP_INTERVAL_MS),
        value(UpkeepSettings.PARTITION_CLEANUP_DAYS),
        value(UpkeepSettings.DLQ_RETENTION_DAYS));
  }

  private StatisticsConfig statistics() {
    return new StatisticsConfig(
        optional(ClusterSettings.HOSTNAME).orElseGet(Machine::hostName),
        Duration.ofSeconds(value(StatisticsSettings.METRICS_AGGREGATE_INTERVAL_S)),
        value(StatisticsSettings.METRICS_SAMPLE_INTERVAL_MS),
        value(StatisticsSettings.QUEEN_STATS_MAX_QUEUES),
        value(StatisticsSettings.STATS_HISTORY_RETENTION_DAYS),
        value(StatisticsSettings.METRICS_RETENTION_DAYS),
        value(StatisticsSettings.STATS_INTERVAL_MS),
        value(StatisticsSettings.QUEEN_STATS_LIVE_LIMIT),
        value(StatisticsSettings.QUEEN_METRICS_MAX_QUEUES),
        value(StatisticsSettings.QUEEN_DASHBOARD),
        new TracingReader(this).read());
  }

  private BoundsConfig bounds() {
    return new BoundsConfig(
        value(BoundsSettings.QUEEN_PUSH_CREATES_QUEUES),
        value(BoundsSettings.QUEEN_MAX_QUEUES),
        value(BoundsSettings.QUEEN_MAX_PARTITIONS),
        value(BoundsSettings.QUEEN_MAX_GROUPS),
        value(BoundsSettings.QUEEN_MAX_NEW_QUEUES_PER_TOKEN),
        value(BoundsSettings.QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN),
        value(BoundsSettings.QUEEN_MAX_NEW_GROUPS_PER_TOKEN));
  }

  /** The mistakes say nothing of the text itself. */
  private void checkSecret(Optional<Secret> secret) {
    String wrong = secret.map(ConfigReader::wrongKey).orElse("is missing");
    if (!wrong.isEmpty()) {
      mistakes.add(
          ("QUEEN_SYNC_SECRET %s, but brokers with QUEEN_UDP_PEERS need the same 64 hexadecimal"
                  + " characters each; make them with: openssl rand -hex 32")
              .formatted(wrong));
    }
  }

  void mistake(String text) {
    mistakes.add(text);
  }

  <T> T value(Setting<T> setting) {
    return optional(setting).orElseThrow();
  }

  <T> Optional<T> optional(Setting<T> setting) {
    try {
      return setting.read(environment);
    } catch (IllegalArgumentException e) {
      mistakes.add(String.valueOf(e.getMessage()));
      return setting.read(Map.of());
    }
  }
}
