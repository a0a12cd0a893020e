package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.ServerId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigTest {

  private static final String SECRET = "00ff".repeat(16);
  private static final String HOW_TO =
      ", but brokers with QUEEN_UDP_PEERS need the same 64 hexadecimal characters each; make them"
          + " with: openssl rand -hex 32";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          queen-1                     | queen-1         | 6633
          queen-1:7000                | queen-1         | 7000
          '  queen-1:7000  '          | queen-1         | 7000
          queen_a.hive.svc            | queen_a.hive.svc| 6633
          http://queen-1:6632         | queen-1         | 6632
          HTTPS://queen-1:6632/api/v1 | queen-1         | 6632
          https://queen-1/            | queen-1         | 6633
          http://[2001:db8::7]:1/x    | 2001:db8::7     | 1
          10.0.0.7                    | 10.0.0.7        | 6633
          10.0.0.7:65535              | 10.0.0.7        | 65535
          [::1]:6634                  | ::1             | 6634
          [::1]                       | ::1             | 6633
          ::1                         | ::1             | 6633
          fe80::1%eth0                | fe80::1%eth0    | 6633
          ::ffff:10.0.0.7             | ::ffff:10.0.0.7 | 6633
          """)
  void peers_areHostsWithOrWithoutPort(String text, String host, int port) {
    assertThat(read(text).peers()).containsExactly(new PeerHost(host, port));
  }

  @Test
  void peers_areSeparatedByCommas_andEmptyPlacesAreSkipped() {
    assertThat(read(" a , ,b:1,,[::1]:2, a").peers())
        .containsExactly(new PeerHost("a", 6633), new PeerHost("b", 1), new PeerHost("::1", 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:", "a:0", "a:65536", "a:b", "a b", ":6633", "[::1", "[a]:1", "[::1]x", "http://", "a;b"
      })
  void peers_thatAreNone_stopTheStart(String text) {
    assertThatThrownBy(() -> read(text))
        .hasMessage(
            "QUEEN_UDP_PEERS is '%s', but must be a list of host or host:port, separated by commas"
                .formatted(text));
  }

  @Test
  void secret_isRequiredWithPeers() {
    assertThatThrownBy(() -> read(Map.of("QUEEN_UDP_PEERS", "a")))
        .hasMessage("QUEEN_SYNC_SECRET is missing" + HOW_TO);
  }

  @Test
  void secret_mustBe64HexCharacters_andIsNeverPrinted() {
    assertThatThrownBy(
            () -> read(Map.of("QUEEN_UDP_PEERS", "a", "QUEEN_SYNC_SECRET", "c0ffee".repeat(2))))
        .hasMessage("QUEEN_SYNC_SECRET has 12 characters" + HOW_TO);
    assertThatThrownBy(
            () -> read(Map.of("QUEEN_UDP_PEERS", "a", "QUEEN_SYNC_SECRET", "xyz!".repeat(16))))
        .hasMessage("QUEEN_SYNC_SECRET has characters that are not hexadecimal digits" + HOW_TO);
    assertThat(read("a").toString()).contains("****").doesNotContain(SECRET);
  }

  @Test
  void secret_isNotAskedFor_withoutPeers() {
    ClusterConfig off =
        read(
            Map.of(
                "QUEEN_UDP_PEERS", "a",
                "QUEEN_SYNC_ENABLED", "false",
                "QUEEN_SYNC_SECRET", "short"));

    assertThat(off.active()).isFalse();
    assertThat(read(Map.of()).active()).isFalse();
    assertThat(read("a").active()).isTrue();
  }

  @Test
  void key_isThe32BytesOfTheSecret() {
    assertThat(read("a").key()).hasSize(32).isEqualTo(HexFormat.of().parseHex(SECRET));
  }

  @Test
  void deadThreshold_isLongerThanTheHeartbeat() {
    assertThatThrownBy(() -> read(Map.of("QUEEN_SYNC_HEARTBEAT_MS", "5000")))
        .hasMessage(
            "QUEEN_SYNC_DEAD_THRESHOLD_MS is '5000', but must be more than QUEEN_SYNC_HEARTBEAT_MS"
                + " (5000)");
  }

  @Test
  void serverId_isHostAndPort_inAtMost31Bytes() {
    assertThat(ServerId.of("queen-mq-0", 6633)).isEqualTo("queen-mq-0:6633");
    assertThat(ServerId.of("a".repeat(25), 65_535)).isEqualTo("a".repeat(25) + ":65535");

    String first = ServerId.of("queen-mq-statefulset-production-0", 6633);
    String second = ServerId.of("queen-mq-statefulset-production-1", 6633);

    assertThat(List.of(first, second))
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(id).hasSize(31).startsWith("queen-mq-").endsWith(":6633"));
    assertThat(ServerId.of("bienenkönigin", 1)).isNotEqualTo(ServerId.of("bienenkünigin", 1));
    assertThat(ServerId.of("", 1)).isEqualTo(":1");
  }

  @Test
  void serverId_takesTheNameOfTheMachine_whenNoneIsGiven() {
    assertThat(read("a").serverId()).isEqualTo(ServerId.of(Machine.hostName(), 6633));
  }

  private static ClusterConfig read(String peers) {
    return read(Map.of("QUEEN_UDP_PEERS", peers, "QUEEN_SYNC_SECRET", SECRET));
  }

  private static ClusterConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, new Machine(4, 512 << 20, 1 << 20)).cluster();
  }
}
