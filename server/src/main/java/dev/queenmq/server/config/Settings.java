package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.choice;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.text;

import dev.queenmq.server.config.values.LogFormat;
import dev.queenmq.server.config.values.LogLevel;
import java.time.Duration;
import java.util.List;

/**
 * Every variable that the broker reads, in the order in which the page explains them. Each is
 * declared by the record that it becomes a part of; the few of the broker as a whole are here.
 */
final class Settings {

  static final Setting<LogLevel> LOG_LEVEL =
      choice("LOG_LEVEL", LogLevel.INFO, "The least important log lines that are written.");
  static final Setting<LogFormat> LOG_FORMAT =
      choice(
          "LOG_FORMAT",
          LogFormat.TEXT,
          "Log lines for people, or one JSON object a line for machines.");
  static final Setting<String> WORKER_ID =
      text("WORKER_ID", "queen", "Name of this broker in metrics.");
  static final Setting<Duration> QUEEN_START_TIMEOUT =
      millis(
          "QUEEN_START_TIMEOUT",
          60_000,
          0,
          3_600_000,
          "How long a start waits for your PostgreSQL to answer, and then for the locks that"
              + " migrations need, in milliseconds.");

  private static final List<Setting.Group> GROUPS =
      List.of(
          new Setting.Group(
              "Server",
              List.of(
                  HttpConfig.PORT,
                  HttpConfig.HOST,
                  SidecarConfig.NUM_WORKERS,
                  WORKER_ID,
                  LOG_LEVEL,
                  LOG_FORMAT,
                  HttpConfig.QUEEN_MAX_BODY_BYTES,
                  HttpConfig.QUEEN_MAX_JSON_DEPTH,
                  HttpConfig.QUEEN_MAX_ITEMS_PER_REQUEST,
                  HttpConfig.QUEEN_MAX_MEMORY_BYTES,
                  HttpConfig.UWS_HTTP_MAX_HEADERS_SIZE,
                  HttpConfig.QUEEN_DRAIN_MS,
                  HttpConfig.QUEEN_WARM_UP_MS)),
          ProtectionConfig.GROUP,
          new Setting.Group(
              "Embedded PostgreSQL",
              List.of(PostgresSource.QUEEN_DATA_DIR, PostgresSource.QUEEN_PG_BIN)),
          new Setting.Group(
              "Your own PostgreSQL",
              List.of(
                  PostgresSource.PG_HOST,
                  PostgresSource.PG_PORT,
                  PostgresSource.PG_DB,
                  PostgresSource.PG_USER,
                  PostgresSource.PG_PASSWORD,
                  PostgresSource.PG_USE_SSL,
                  PostgresSource.PG_SSL_REJECT_UNAUTHORIZED,
                  PostgresSource.PG_SSL_ROOT_CERT,
                  PostgresSource.PG_SSL_CERT,
                  PostgresSource.PG_SSL_KEY,
                  SessionConfig.QUEEN_PG_POOLER,
                  PostgresSource.QUEEN_ALLOW_UNSAFE_POSTGRES)),
          new Setting.Group(
              "Connections",
              List.of(
                  SessionConfig.DB_CONNECTION_TIMEOUT,
                  SessionConfig.DB_STATEMENT_TIMEOUT,
                  SessionConfig.DB_LOCK_TIMEOUT,
                  SidecarConfig.LIBQUEEN_INFLIGHT_DEADLINE_MS,
                  SessionConfig.QUEEN_PG_PIPELINING,
                  QUEEN_START_TIMEOUT)),
          new Setting.Group(
              "Pops",
              List.of(
                  PopConfig.DEFAULT_BATCH_SIZE,
                  PopConfig.DEFAULT_TIMEOUT,
                  PopConfig.QUEEN_MAX_WAIT_MS,
                  PopConfig.DEFAULT_SUBSCRIPTION_MODE,
                  PopConfig.QUEEN_EMPTY_POP_STATUS,
                  SidecarConfig.MAX_WAITING,
                  PopConfig.POP_WAIT_INITIAL_INTERVAL_MS,
                  PopConfig.POP_WAIT_BACKOFF_THRESHOLD,
                  PopConfig.POP_WAIT_BACKOFF_MULTIPLIER,
                  PopConfig.POP_WAIT_MAX_INTERVAL_MS)),
          new Setting.Group(
              "Gathering requests",
              List.of(
                  SidecarConfig.SIDECAR_POOL_SIZE,
                  SidecarConfig.MICRO_BATCH_WAIT_MS,
                  SidecarConfig.MAX_ITEMS_PER_TX,
                  SidecarConfig.QUEEN_MAX_BYTES_PER_TX,
                  SidecarConfig.QUEEN_MAX_PENDING_ITEMS,
                  SidecarConfig.QUEEN_MAX_PENDING_BYTES)),
          ClusterConfig.GROUP,
          AuthConfig.GROUP,
          BoundsConfig.GROUP,
          SpoolConfig.GROUP,
          EncryptionConfig.GROUP,
          UpkeepConfig.GROUP,
          StatisticsConfig.GROUP,
          TracingConfig.GROUP);

  private Settings() {}

  static List<Setting.Group> groups() {
    return GROUPS;
  }
}
