package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingsTest {

  /** Names and defaults are promises to people's deployment files: change them on purpose only. */
  @Test
  void settings_keepTheirNamesAndDefaults() {
    String settings =
        Settings.groups().stream()
            .flatMap(group -> group.settings().stream())
            .map(SettingsTest::line)
            .collect(Collectors.joining());

    assertThat(settings)
        .isEqualTo(
            """
            PORT=6632
            HOST=0.0.0.0
            NUM_WORKERS: the number of cores, without PG_HOST half of it; at most 8
            WORKER_ID=queen
            LOG_LEVEL=info
            LOG_FORMAT=text
            QUEEN_MAX_BODY_BYTES=67108864
            QUEEN_MAX_JSON_DEPTH=512
            QUEEN_MAX_ITEMS_PER_REQUEST=10000
            QUEEN_MAX_MEMORY_BYTES: half of the heap
            UWS_HTTP_MAX_HEADERS_SIZE=16384
            QUEEN_DRAIN_MS=0
            QUEEN_WARM_UP_MS=0
            QUEEN_TLS_CERT=
            QUEEN_TLS_KEY=
            QUEEN_TLS_CLIENT_CA=
            QUEEN_TLS_CLIENT_AUTH: `required` with `QUEEN_TLS_CLIENT_CA`, otherwise `none`
            QUEEN_TLS_RELOAD_MS=5000
            QUEEN_CORS_ORIGINS=own
            QUEEN_ALLOWED_HOSTS=
            QUEEN_TRUSTED_PROXIES=
            QUEEN_MAX_CONNECTIONS: 110000, at most 3/4 of the files that may be open
            QUEEN_MAX_CONNECTIONS_PER_ADDRESS: half of `QUEEN_MAX_CONNECTIONS`
            QUEEN_MAX_WAITING_PER_ADDRESS=10000
            QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN=0
            QUEEN_HEAD_TIMEOUT_MS=10000
            QUEEN_IDLE_TIMEOUT_MS=60000
            QUEEN_MIN_BODY_BYTES_PER_SECOND=256
            QUEEN_DATA_DIR=./data
            QUEEN_PG_BIN=
            PG_HOST=
            PG_PORT=5432
            PG_DB=postgres
            PG_USER=postgres
            PG_PASSWORD=
            PG_USE_SSL=false
            PG_SSL_REJECT_UNAUTHORIZED=true
            PG_SSL_ROOT_CERT=
            PG_SSL_CERT=
            PG_SSL_KEY=
            QUEEN_PG_POOLER=auto
            QUEEN_ALLOW_UNSAFE_POSTGRES=false
            DB_CONNECTION_TIMEOUT=2000
            DB_STATEMENT_TIMEOUT=30000
            DB_LOCK_TIMEOUT=10000
            LIBQUEEN_INFLIGHT_DEADLINE_MS: `DB_STATEMENT_TIMEOUT` + 5000; without one, 3605000
            QUEEN_PG_PIPELINING=256
            QUEEN_START_TIMEOUT=60000
            DEFAULT_BATCH_SIZE=1
            DEFAULT_TIMEOUT=30000
            QUEEN_MAX_WAIT_MS=120000
            DEFAULT_SUBSCRIPTION_MODE=all
            QUEEN_EMPTY_POP_STATUS=204
            MAX_WAITING=100000
            POP_WAIT_INITIAL_INTERVAL_MS/POP_WAIT_BASE_INTERVAL_MS=100
            POP_WAIT_BACKOFF_THRESHOLD=3
            POP_WAIT_BACKOFF_MULTIPLIER=2.0
            POP_WAIT_MAX_INTERVAL_MS: 1000, or the first interval if that is longer
            SIDECAR_POOL_SIZE: 3 for each worker, at most 32
            MICRO_BATCH_WAIT_MS/SIDECAR_MICRO_BATCH_WAIT_MS=0
            MAX_ITEMS_PER_TX/SIDECAR_MAX_ITEMS_PER_TX=1000
            QUEEN_MAX_BYTES_PER_TX=4194304
            QUEEN_MAX_PENDING_ITEMS=100000
            QUEEN_MAX_PENDING_BYTES: 256 MiB, at most a quarter of the heap
            QUEEN_UDP_PEERS=
            QUEEN_SYNC_SECRET=
            QUEEN_SYNC_ENABLED=true
            QUEEN_UDP_NOTIFY_PORT=6633
            QUEEN_UDP_HOST=0.0.0.0
            HOSTNAME: the name of the machine
            QUEEN_SYNC_HEARTBEAT_MS=1000
            QUEEN_SYNC_DEAD_THRESHOLD_MS=5000
            QUEEN_SYNC_RECV_BUFFER_MB=8
            QUEEN_CACHE_REFRESH_INTERVAL_MS=60000
            QUEEN_CACHE_PARTITION_MAX=10000
            QUEEN_CACHE_PARTITION_TTL_MS=300000
            JWT_ENABLED=false
            JWT_ALGORITHM=HS256
            JWT_SECRET=
            JWT_PUBLIC_KEY=
            JWT_JWKS_URL=
            JWT_JWKS_ALLOW_HTTP=false
            JWT_JWKS_REFRESH_INTERVAL=3600
            JWT_JWKS_TIMEOUT_MS=5000
            JWT_ISSUER=
            JWT_AUDIENCE=
            JWT_CLOCK_SKEW=30
            JWT_REQUIRE_EXP=true
            JWT_SKIP_PATHS=/health,/metrics/prometheus,/metrics,/
            JWT_ROLES_CLAIM=role
            JWT_ROLES_ARRAY_CLAIM=roles
            JWT_ROLE_ADMIN=admin
            JWT_ROLE_READ_WRITE=read-write
            JWT_ROLE_READ_ONLY=read-only
            JWT_ROLE_PRODUCE_ONLY=produce-only
            JWT_ROLE_CONSUME_ONLY=consume-only
            JWT_QUEUES_CLAIM=queues
            JWT_NAMESPACES_CLAIM=namespaces
            JWT_TASKS_CLAIM=tasks
            QUEEN_METRICS_REQUIRE_TOKEN=false
            QUEEN_AUDIT_FILE=
            QUEEN_PUSH_CREATES_QUEUES=true
            QUEEN_MAX_QUEUES=100000
            QUEEN_MAX_PARTITIONS=10000000
            QUEEN_MAX_GROUPS=1000000
            QUEEN_MAX_NEW_QUEUES_PER_TOKEN=10000
            QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN=1000000
            QUEEN_MAX_NEW_GROUPS_PER_TOKEN=100000
            QUEEN_SPOOL_DIR/FILE_BUFFER_DIR: `spool` in `QUEEN_DATA_DIR`
            SPOOL_MAX_BYTES=1073741824
            QUEEN_SPOOL_DEADLINE_MS=2000
            QUEEN_ENCRYPTION_KEY=
            QUEEN_ENCRYPTION_KEY_PREVIOUS=
            QUEEN_ENCRYPTION_ALLOW_PLAINTEXT=false
            RETENTION_INTERVAL=300000
            RETENTION_BATCH_SIZE=1000
            EVICTION_INTERVAL=60000
            EVICTION_BATCH_SIZE=1000
            QUEEN_CLEANUP_INTERVAL_MS=3600000
            PARTITION_CLEANUP_DAYS=30
            DLQ_RETENTION_DAYS=30
            STATS_INTERVAL_MS=10000
            QUEEN_STATS_LIVE_LIMIT=20000
            METRICS_AGGREGATE_INTERVAL_S=60
            METRICS_SAMPLE_INTERVAL_MS=1000
            STATS_HISTORY_RETENTION_DAYS=7
            METRICS_RETENTION_DAYS=7
            QUEEN_STATS_MAX_QUEUES=1000
            QUEEN_METRICS_MAX_QUEUES=200
            QUEEN_DASHBOARD=true
            OTEL_TRACES_EXPORTER=none
            OTEL_SDK_DISABLED=false
            OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318
            OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=
            OTEL_EXPORTER_OTLP_TRACES_HEADERS/OTEL_EXPORTER_OTLP_HEADERS=
            OTEL_EXPORTER_OTLP_TRACES_TIMEOUT/OTEL_EXPORTER_OTLP_TIMEOUT=10000
            OTEL_EXPORTER_OTLP_TRACES_PROTOCOL/OTEL_EXPORTER_OTLP_PROTOCOL=http/json
            OTEL_SERVICE_NAME: `queen`
            OTEL_RESOURCE_ATTRIBUTES=
            OTEL_TRACES_SAMPLER=parentbased_always_on
            OTEL_TRACES_SAMPLER_ARG=1.0
            OTEL_BSP_SCHEDULE_DELAY=5000
            OTEL_BSP_MAX_QUEUE_SIZE=2048
            OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512
            """);
  }

  @Test
  void names_areUnique() {
    List<String> names =
        Stream.of(
                Settings.groups().stream()
                    .flatMap(group -> group.settings().stream())
                    .flatMap(s -> Stream.concat(Stream.of(s.name()), s.otherNames().stream())),
                IgnoredLegacySettings.groups().stream().flatMap(group -> group.names().stream()))
            .flatMap(Function.identity())
            .toList();

    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(120);
  }

  private static String line(Setting<?> setting) {
    String names =
        Stream.concat(Stream.of(setting.name()), setting.otherNames().stream())
            .collect(Collectors.joining("/"));
    String words = setting.fallbackWords();
    return names + (words.isEmpty() ? "=" + setting.fallback() : ": " + words) + "\n";
  }
}
