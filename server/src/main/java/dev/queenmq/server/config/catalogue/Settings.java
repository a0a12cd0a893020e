package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.bytes;
import static dev.queenmq.server.config.catalogue.SettingKinds.choice;
import static dev.queenmq.server.config.catalogue.SettingKinds.decimal;
import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;
import static dev.queenmq.server.config.catalogue.SettingKinds.path;
import static dev.queenmq.server.config.catalogue.SettingKinds.secret;
import static dev.queenmq.server.config.catalogue.SettingKinds.text;

import dev.queenmq.server.config.values.LogFormat;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.SubscriptionMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The catalogue: every variable that the server reads, in the order in which it is explained. */
public final class Settings {

  public static final Setting<Integer> PORT =
      number("PORT", 6632, 0, 65_535, "HTTP port; 0 takes any free one. Flag: `--port`.");
  public static final Setting<String> HOST =
      text("HOST", "0.0.0.0", "Address that the HTTP server binds to. Flag: `--host`.");
  public static final Setting<LogLevel> LOG_LEVEL =
      choice("LOG_LEVEL", LogLevel.INFO, "The least important log lines that are written.");
  public static final Setting<LogFormat> LOG_FORMAT =
      choice(
          "LOG_FORMAT",
          LogFormat.TEXT,
          "Log lines for people, or one JSON object a line for machines.");
  public static final Setting<String> WORKER_ID =
      text("WORKER_ID", "queen", "Name of this broker in metrics.");
  public static final Setting<Integer> NUM_WORKERS =
      number("NUM_WORKERS", 1, 1, 256, "Event loops that serve HTTP and messages.")
          .otherwise("the number of cores, at most 8");

  public static final Setting<Integer> UWS_HTTP_MAX_HEADERS_SIZE =
      number(
          "UWS_HTTP_MAX_HEADERS_SIZE",
          16_384,
          1_024,
          1 << 20,
          "Limit of all headers of a request together, in bytes.");
  public static final Setting<Integer> QUEEN_MAX_BODY_BYTES =
      number(
          "QUEEN_MAX_BODY_BYTES",
          64 << 20,
          1_024,
          1 << 30,
          "Limit of the body of a request, in bytes.");
  public static final Setting<Integer> QUEEN_MAX_JSON_DEPTH =
      number(
          "QUEEN_MAX_JSON_DEPTH", 512, 8, 10_000, "Limit of objects and arrays within each other.");
  public static final Setting<Integer> QUEEN_MAX_ITEMS_PER_REQUEST =
      number(
          "QUEEN_MAX_ITEMS_PER_REQUEST",
          10_000,
          1,
          1_000_000,
          "Limit of messages, acknowledgements or operations in one request.");
  public static final Setting<Long> QUEEN_MAX_MEMORY_BYTES =
      bytes(
              "QUEEN_MAX_MEMORY_BYTES",
              "",
              1L << 20,
              1L << 40,
              "Bytes of heap that all requests together may hold: bodies and the messages read"
                  + " from them, answers until they are read, pages for operators. Each of"
                  + " their bytes counts as three. Further requests are answered 503, and pops"
                  + " wait.")
          .otherwise("half of the heap");
  public static final Setting<Duration> QUEEN_DRAIN_MS =
      millis(
          "QUEEN_DRAIN_MS",
          0,
          0,
          600_000,
          "After SIGTERM or SIGINT, how long the broker still serves requests while `/health` and"
              + " `/health/ready` answer 503, in milliseconds. Then the port closes. Set it to more"
              + " than your load balancer takes to notice.");

  public static final Setting<Integer> DEFAULT_BATCH_SIZE =
      number("DEFAULT_BATCH_SIZE", 1, 1, 10_000, "`batch` of a pop that does not say.");
  public static final Setting<Duration> DEFAULT_TIMEOUT =
      millis(
          "DEFAULT_TIMEOUT",
          30_000,
          0,
          86_400_000,
          "`timeout` of a waiting pop that does not say, in milliseconds; at most"
              + " `QUEEN_MAX_WAIT_MS` counts.");
  public static final Setting<Duration> QUEEN_MAX_WAIT_MS =
      millis(
          "QUEEN_MAX_WAIT_MS",
          120_000,
          1,
          86_400_000,
          "Limit of `timeout`, in milliseconds; more is cut to it.");
  public static final Setting<SubscriptionMode> DEFAULT_SUBSCRIPTION_MODE =
      new Setting<>(
          "DEFAULT_SUBSCRIPTION_MODE",
          "all",
          "one of all, new, new-only",
          "Where a consumer group that does not say starts: at the oldest message, or at what comes"
              + " from then on (`new` and `new-only` are the same).",
          Settings::subscriptionMode);
  public static final Setting<Integer> QUEEN_EMPTY_POP_STATUS =
      new Setting<>(
          "QUEEN_EMPTY_POP_STATUS",
          "204",
          "200 or 204",
          "HTTP status of a pop without messages: 204 without a body, or 200 with one, as older"
              + " servers answer.",
          Settings::emptyPopStatus);
  public static final Setting<Integer> MAX_WAITING =
      number(
          "MAX_WAITING",
          100_000,
          1,
          10_000_000,
          "Pops that may wait at once; further ones are answered 503.");
  public static final Setting<Duration> POP_WAIT_INITIAL_INTERVAL_MS =
      millis(
              "POP_WAIT_INITIAL_INTERVAL_MS",
              100,
              1,
              600_000,
              "How often PostgreSQL is asked for waiting pops at first, in milliseconds."
                  + " Messages that pass through this broker wake them without it.")
          .orNamed("POP_WAIT_BASE_INTERVAL_MS");
  public static final Setting<Integer> POP_WAIT_BACKOFF_THRESHOLD =
      number(
          "POP_WAIT_BACKOFF_THRESHOLD",
          3,
          0,
          1_000,
          "Looks that find nothing before the interval grows.");
  public static final Setting<Double> POP_WAIT_BACKOFF_MULTIPLIER =
      decimal(
          "POP_WAIT_BACKOFF_MULTIPLIER",
          2.0,
          1.0,
          100.0,
          "By how much it grows with each further look that finds nothing.");
  public static final int USUAL_MAX_INTERVAL_MS = 1_000;
  public static final Setting<Duration> POP_WAIT_MAX_INTERVAL_MS =
      millis(
              "POP_WAIT_MAX_INTERVAL_MS",
              USUAL_MAX_INTERVAL_MS,
              1,
              600_000,
              "Up to which it grows, in milliseconds.")
          .otherwise(USUAL_MAX_INTERVAL_MS + ", or the first interval if that is longer");

  public static final Setting<Integer> SIDECAR_POOL_SIZE =
      number(
              "SIDECAR_POOL_SIZE",
              1,
              1,
              1_000,
              "Connections to PostgreSQL for messages, shared by all workers. Few suffice: each"
                  + " call carries what has gathered meanwhile.")
          .otherwise("2 for each worker, at least 4, at most 32");
  public static final Setting<Duration> MICRO_BATCH_WAIT_MS =
      millis(
              "MICRO_BATCH_WAIT_MS",
              0,
              0,
              1_000,
              "How long a request may wait for company although a connection is free, in"
                  + " milliseconds. While all are busy, requests gather in any case.")
          .orNamed("SIDECAR_MICRO_BATCH_WAIT_MS");
  public static final Setting<Integer> MAX_ITEMS_PER_TX =
      number(
              "MAX_ITEMS_PER_TX",
              1_000,
              1,
              100_000,
              "Messages or acknowledgements that one call of PostgreSQL carries.")
          .orNamed("SIDECAR_MAX_ITEMS_PER_TX");
  public static final Setting<Integer> QUEEN_MAX_BYTES_PER_TX =
      number(
          "QUEEN_MAX_BYTES_PER_TX",
          4 << 20,
          1_024,
          256 << 20,
          "Bytes of payload that one call of PostgreSQL carries; a larger message goes alone.");
  public static final Setting<Integer> QUEEN_MAX_PENDING_ITEMS =
      number(
          "QUEEN_MAX_PENDING_ITEMS",
          100_000,
          1,
          10_000_000,
          "Messages or acks of one worker that may wait for a connection; further requests are"
              + " answered 503.");
  public static final Setting<Long> QUEEN_MAX_PENDING_BYTES =
      bytes(
              "QUEEN_MAX_PENDING_BYTES",
              "",
              1L << 20,
              1L << 40,
              "Bytes of payload of all workers that may wait for a connection; further requests"
                  + " are answered 503.")
          .otherwise("256 MiB, at most a quarter of the heap");

  public static final Setting<Path> QUEEN_DATA_DIR =
      path(
          "QUEEN_DATA_DIR",
          "./data",
          "Folder of the embedded PostgreSQL, used when `PG_HOST` is absent. It survives"
              + " restarts.");
  public static final Setting<Path> QUEEN_PG_BIN =
      path(
          "QUEEN_PG_BIN",
          "",
          "`bin` folder of a PostgreSQL installation that the embedded mode runs instead of the"
              + " bundled one.");

  public static final Setting<List<PostgresHosts.Host>> PG_HOST =
      new Setting<>(
          "PG_HOST",
          "",
          "a host, or a comma list of hosts with or without a port",
          "Host of your own PostgreSQL (14 or newer). Several, separated by commas and each with or"
              + " without `:port`, are servers of one cluster: the broker follows the one that takes"
              + " writes. Absent: embedded.",
          PostgresHosts::hosts);
  public static final Setting<List<Integer>> PG_PORT =
      new Setting<>(
          "PG_PORT",
          "5432",
          "a whole number from 1 to 65535",
          "Its port. With several hosts: one for all of them, or a comma list with one for each.",
          PostgresHosts::ports);
  public static final Setting<String> PG_DB = text("PG_DB", "postgres", "Database.");
  public static final Setting<String> PG_USER = text("PG_USER", "postgres", "User.");
  public static final Setting<Secret> PG_PASSWORD =
      secret("PG_PASSWORD", "", "Password. Absent: the broker connects without one.");
  public static final Setting<Boolean> PG_USE_SSL =
      flag("PG_USE_SSL", false, "Encrypt the connection, and accept no other.");
  public static final Setting<Boolean> PG_SSL_REJECT_UNAUTHORIZED =
      flag(
          "PG_SSL_REJECT_UNAUTHORIZED",
          true,
          "With SSL: check the server's certificate and that it is for this host name.");
  public static final Setting<Path> PG_SSL_ROOT_CERT =
      path(
          "PG_SSL_ROOT_CERT",
          "",
          "With SSL: PEM file of the authorities to trust. Absent: those that the JVM trusts.");
  public static final Setting<Path> PG_SSL_CERT =
      path(
          "PG_SSL_CERT",
          "",
          "With SSL: PEM file of the certificate that this broker shows to PostgreSQL.");
  public static final Setting<Path> PG_SSL_KEY =
      path(
          "PG_SSL_KEY",
          "",
          "PEM file of the private key that belongs to it, without a passphrase.");
  public static final Setting<Pooler> QUEEN_PG_POOLER =
      choice(
          "QUEEN_PG_POOLER",
          Pooler.AUTO,
          "What stands before your PostgreSQL. `auto` finds out at start; `transaction` is for"
              + " PgBouncer in transaction mode, `transaction-prepared` for PgBouncer 1.21 or newer"
              + " with `max_prepared_statements` above 0. Behind a pooler the two timeouts below"
              + " are not set by the broker: set them with `ALTER ROLE`.");

  public static final Setting<Boolean> QUEEN_ALLOW_UNSAFE_POSTGRES =
      flag(
          "QUEEN_ALLOW_UNSAFE_POSTGRES",
          false,
          "Use your PostgreSQL although it runs with `fsync` or `synchronous_commit` off, and could"
              + " lose messages that were answered. `/health` says so.");

  public static final Setting<Duration> DB_CONNECTION_TIMEOUT =
      millis(
          "DB_CONNECTION_TIMEOUT", 2_000, 100, 600_000, "Limit for connecting, in milliseconds.");
  public static final Setting<Duration> DB_STATEMENT_TIMEOUT =
      millis(
          "DB_STATEMENT_TIMEOUT",
          30_000,
          0,
          3_600_000,
          "PostgreSQL cancels a statement that takes longer, in milliseconds; 0 means never.");
  public static final Setting<Duration> DB_LOCK_TIMEOUT =
      millis(
          "DB_LOCK_TIMEOUT",
          10_000,
          0,
          3_600_000,
          "PostgreSQL cancels a statement that waits longer for a lock, in milliseconds; 0 means"
              + " never.");
  public static final Setting<Duration> LIBQUEEN_INFLIGHT_DEADLINE_MS =
      millis(
              "LIBQUEEN_INFLIGHT_DEADLINE_MS",
              35_000,
              2_000,
              7_200_000,
              "How long a call may wait for an answer of PostgreSQL, in milliseconds. After"
                  + " that it fails, and its connection is replaced.")
          .otherwise("`DB_STATEMENT_TIMEOUT` + 5000; without one, 3605000");
  public static final Setting<Integer> QUEEN_PG_PIPELINING =
      number(
          "QUEEN_PG_PIPELINING",
          256,
          1,
          65_536,
          "Statements that may be on their way at once on one connection.");
  public static final Setting<Duration> QUEEN_START_TIMEOUT =
      millis(
          "QUEEN_START_TIMEOUT",
          60_000,
          0,
          3_600_000,
          "How long a start waits for your PostgreSQL to answer, and then for the locks that"
              + " migrations need, in milliseconds.");

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "Server",
              List.of(
                  PORT,
                  HOST,
                  NUM_WORKERS,
                  WORKER_ID,
                  LOG_LEVEL,
                  LOG_FORMAT,
                  QUEEN_MAX_BODY_BYTES,
                  QUEEN_MAX_JSON_DEPTH,
                  QUEEN_MAX_ITEMS_PER_REQUEST,
                  QUEEN_MAX_MEMORY_BYTES,
                  UWS_HTTP_MAX_HEADERS_SIZE,
                  QUEEN_DRAIN_MS)),
          ProtectionSettings.GROUP,
          new Group("Embedded PostgreSQL", List.of(QUEEN_DATA_DIR, QUEEN_PG_BIN)),
          new Group(
              "Your own PostgreSQL",
              List.of(
                  PG_HOST,
                  PG_PORT,
                  PG_DB,
                  PG_USER,
                  PG_PASSWORD,
                  PG_USE_SSL,
                  PG_SSL_REJECT_UNAUTHORIZED,
                  PG_SSL_ROOT_CERT,
                  PG_SSL_CERT,
                  PG_SSL_KEY,
                  QUEEN_PG_POOLER,
                  QUEEN_ALLOW_UNSAFE_POSTGRES)),
          new Group(
              "Connections",
              List.of(
                  DB_CONNECTION_TIMEOUT,
                  DB_STATEMENT_TIMEOUT,
                  DB_LOCK_TIMEOUT,
                  LIBQUEEN_INFLIGHT_DEADLINE_MS,
                  QUEEN_PG_PIPELINING,
                  QUEEN_START_TIMEOUT)),
          new Group(
              "Pops",
              List.of(
                  DEFAULT_BATCH_SIZE,
                  DEFAULT_TIMEOUT,
                  QUEEN_MAX_WAIT_MS,
                  DEFAULT_SUBSCRIPTION_MODE,
                  QUEEN_EMPTY_POP_STATUS,
                  MAX_WAITING,
                  POP_WAIT_INITIAL_INTERVAL_MS,
                  POP_WAIT_BACKOFF_THRESHOLD,
                  POP_WAIT_BACKOFF_MULTIPLIER,
                  POP_WAIT_MAX_INTERVAL_MS)),
          new Group(
              "Gathering requests",
              List.of(
                  SIDECAR_POOL_SIZE,
                  MICRO_BATCH_WAIT_MS,
                  MAX_ITEMS_PER_TX,
                  QUEEN_MAX_BYTES_PER_TX,
                  QUEEN_MAX_PENDING_ITEMS,
                  QUEEN_MAX_PENDING_BYTES)),
          ClusterSettings.GROUP,
          AuthSettings.GROUP,
          BoundsSettings.GROUP,
          SpoolSettings.GROUP,
          EncryptionSettings.GROUP,
          UpkeepSettings.GROUP,
          StatisticsSettings.GROUP,
          TracingSettings.GROUP);

  private Settings() {}

  /** Settings that belong together. */
  public record Group(String title, List<Setting<?>> settings) {}

  public static List<Group> groups() {
    return GROUPS;
  }

  private static SubscriptionMode subscriptionMode(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "all" -> SubscriptionMode.ALL;
      case "new", "new-only" -> SubscriptionMode.NEW;
      default -> throw new IllegalArgumentException("not a choice");
    };
  }

  private static Integer emptyPopStatus(String text) {
    return switch (text) {
      case "200" -> 200;
      case "204" -> 204;
      default -> throw new IllegalArgumentException("not a choice");
    };
  }
}
