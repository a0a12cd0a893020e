package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsTest {

  /** Names and defaults are promises to people's deployment files: change them on purpose only. */
  @Test
  void settings_keepTheirNamesAndDefaults() {
    String settings =
        Settings.groups().stream()
            .flatMap(group -> group.settings().stream())
            .map(setting -> setting.name() + "=" + setting.fallback() + "\n")
            .collect(Collectors.joining());

    assertThat(settings)
        .isEqualTo(
            """
            PORT=6632
            HOST=0.0.0.0
            LOG_LEVEL=info
            QUEEN_DATA_DIR=./data
            QUEEN_PG_BIN=
            PG_HOST=
            PG_PORT=5432
            PG_DB=postgres
            PG_USER=postgres
            PG_PASSWORD=postgres
            PG_USE_SSL=false
            PG_SSL_REJECT_UNAUTHORIZED=true
            PG_SSL_ROOT_CERT=
            QUEEN_PG_POOLER=auto
            DB_CONNECTION_TIMEOUT=2000
            DB_STATEMENT_TIMEOUT=30000
            DB_LOCK_TIMEOUT=10000
            QUEEN_PG_PIPELINING=256
            QUEEN_START_TIMEOUT=60000
            """);
  }
}
