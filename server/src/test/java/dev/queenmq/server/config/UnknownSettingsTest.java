package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {

  @ParameterizedTest
  @CsvSource({
    "QUEEN_DATADIR, QUEEN_DATA_DIR",
    "QUEEN_PROT, PORT", // it has no prefix
    "QUEEN_PORT, PORT",
    "QUEEN_LOG_LEVEL, LOG_LEVEL",
    "PG_HSOT, PG_HOST",
    "PG_DBS, PG_DB",
    "PG_USERR, PG_USER",
    "DB_STATEMENT_TIMEOUTS, DB_STATEMENT_TIMEOUT",
    "SPOOL_MAXBYTES, SPOOL_MAX_BYTES",
    "MAX_BODY_BYTES, QUEEN_MAX_BODY_BYTES", // it has a prefix
    "queen_data_dir, QUEEN_DATA_DIR",
    "FILE_BUFFER_DR, FILE_BUFFER_DIR" // the older name of a setting
  })
  void misspeltName_isReportedWithTheLikelyOne(String name, String meant) {
    assertThat(ServerConfig.warnings(Map.of(name, "x")))
        .containsExactly("unknown setting %s, did you mean %s?".formatted(name, meant));
  }

  @ParameterizedTest
  @ValueSource(strings = {"QUEEN_COLOUR", "PG_HOST_AUTH_METHOD", "JWT_HOME_PAGE"})
  void otherName_isReported_ifItBeginsLikeOurs(String name) {
    assertThat(ServerConfig.warnings(Map.of(name, "x")))
        .containsExactly("unknown setting %s; it has no effect".formatted(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "HOME",
        "LANG",
        "PGHOST",
        "JAVA_HOME",
        "POD_NAME",
        "PORTS",
        "LOG_DIR",
        "DB_URL"
      })
  void variablesOfOthers_areNoneOfOurBusiness(String name) {
    assertThat(ServerConfig.warnings(Map.of(name, "x"))).isEmpty();
  }

  @Test
  void everySetting_isKnown_andSoAreThoseWithoutMeaning() {
    for (Setting.Group group : Settings.groups()) {
      for (Setting<?> setting : group.settings()) {
        assertThat(UnknownSettings.in(Map.of(setting.name(), "x"))).isEmpty();
        setting
            .otherNames()
            .forEach(name -> assertThat(UnknownSettings.in(Map.of(name, "x"))).isEmpty());
      }
    }
    IgnoredLegacySettings.groups().stream()
        .flatMap(group -> group.names().stream())
        .forEach(name -> assertThat(UnknownSettings.in(Map.of(name, "x"))).isEmpty());
  }

  @Test
  void switchesOfTheOlderEngine_haveNoMeaning_andAreNamed() {
    List<String> names =
        List.of(
            "POLL_WORKER_COUNT",
            "POLL_INTERVAL_MS",
            "USE_PRIORITY_DISPATCH",
            "QUEEN_SYNC_CACHE_SHARDS",
            "ALL_OPS_USE_SIDECAR",
            "PUSH_USE_SIDECAR",
            "POP_USE_SIDECAR",
            "ACK_USE_SIDECAR",
            "TRANSACTION_USE_SIDECAR",
            "RENEW_LEASE_USE_SIDECAR");
    Map<String, String> environment =
        names.stream().collect(Collectors.toMap(name -> name, name -> "1"));

    assertThat(IgnoredLegacySettings.setIn(environment)).containsExactlyElementsOf(names);
    assertThat(ServerConfig.warnings(environment)).isEmpty();
  }

  @Test
  void serviceLinksOfKubernetes_arePassedOver() {
    assertThat(
            UnknownSettings.in(
                Map.of(
                    "QUEEN_PORT", "tcp://10.0.0.1:6632",
                    "QUEEN_SERVICE_HOST", "10.0.0.1",
                    "QUEEN_SERVICE_PORT", "6632",
                    "QUEEN_SERVICE_PORT_HTTP", "6632",
                    "QUEEN_PORT_6632_TCP", "tcp://10.0.0.1:6632",
                    "QUEEN_PORT_6632_TCP_ADDR", "10.0.0.1",
                    "QUEEN_PORT_6632_TCP_PROTO", "tcp")))
        .isEmpty();
  }

  @Test
  void serviceLinkInASettingOfOurs_isNamedAsTheCause() {
    assertThatThrownBy(() -> ServerConfig.read(Map.of("PG_PORT", "tcp://10.0.0.1:5432"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "PG_PORT is 'tcp://10.0.0.1:5432', but must be a whole number from 1 to 65535."
                + " Kubernetes sets this variable for a service of that name: set"
                + " enableServiceLinks to false in the pod, or rename the service");
  }

  @ParameterizedTest
  @CsvSource({
    "JWT_ENABLD, JWT_ENABLED",
    "QUEEN_JWT_ENABLED, JWT_ENABLED",
    "QUEEN_TLS_CRT, QUEEN_TLS_CERT",
    "QUEEN_ENCRYPTION_KEYS, QUEEN_ENCRYPTION_KEY",
    "PG_USESSL, PG_USE_SSL"
  })
  void misspeltProtection_stopsTheStart(String name, String meant) {
    assertThatThrownBy(() -> ServerConfig.read(Map.of(name, "sesame"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("unknown setting %s, did you mean %s?".formatted(name, meant));
    assertThat(ServerConfig.warnings(Map.of(name, "sesame"))).isEmpty();
  }

  @Test
  void nameOfAnotherTool_neverStopsTheStart() {
    Map<String, String> environment = Map.of("MAX_CONNECTIONS", "10");

    assertThat(ServerConfig.read(environment, List.of())).isNotNull();
    assertThat(ServerConfig.warnings(environment))
        .containsExactly("unknown setting MAX_CONNECTIONS, did you mean QUEEN_MAX_CONNECTIONS?");
  }

  @Test
  void blankVariable_countsAsAbsent() {
    assertThat(UnknownSettings.in(Map.of("QUEEN_DATADIR", " "))).isEmpty();
  }
}
