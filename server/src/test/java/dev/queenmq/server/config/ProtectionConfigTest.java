package dev.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.config.values.AddressBlock;
import dev.queenmq.server.config.values.ClientCertificates;
import dev.queenmq.server.config.values.CorsOrigins;
import dev.queenmq.server.config.values.HostNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectionConfigTest {

  /** On a machine where a process may open a million files. */
  static final ProtectionConfig DEFAULTS =
      new ProtectionConfig(
          Optional.empty(),
          new CorsOrigins(CorsOrigins.Kind.OWN, Set.of()),
          HostNames.any(),
          List.of(),
          110_000,
          55_000,
          10_000,
          0,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          256);

  @Test
  void read_takesEveryVariable() {
    Map<String, String> environment = new HashMap<>();
    environment.put("QUEEN_TLS_CERT", "/tls/tls.crt");
    environment.put("QUEEN_TLS_KEY", "/tls/tls.key");
    environment.put("QUEEN_TLS_CLIENT_CA", "/tls/ca.crt");
    environment.put("QUEEN_TLS_CLIENT_AUTH", "request");
    environment.put("QUEEN_TLS_RELOAD_MS", "700");
    environment.put("QUEEN_CORS_ORIGINS", "https://A.example , http://[::1]:8080");
    environment.put("QUEEN_ALLOWED_HOSTS", "Queen.example, queen");
    environment.put("QUEEN_TRUSTED_PROXIES", "10.0.0.0/8, ::1");
    environment.put("QUEEN_MAX_CONNECTIONS", "11");
    environment.put("QUEEN_MAX_CONNECTIONS_PER_ADDRESS", "12");
    environment.put("QUEEN_MAX_WAITING_PER_ADDRESS", "13");
    environment.put("QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN", "14");
    environment.put("QUEEN_HEAD_TIMEOUT_MS", "1500");
    environment.put("QUEEN_IDLE_TIMEOUT_MS", "1600");
    environment.put("QUEEN_MIN_BODY_BYTES_PER_SECOND", "17");

    assertThat(read(environment))
        .isEqualTo(
            new ProtectionConfig(
                Optional.of(
                    new ProtectionConfig.Https(
                        Path.of("/tls/tls.crt"),
                        Path.of("/tls/tls.key"),
                        Optional.of(Path.of("/tls/ca.crt")),
                        ClientCertificates.REQUEST,
                        Duration.ofMillis(700))),
                new CorsOrigins(
                    CorsOrigins.Kind.NAMED, Set.of("https://a.example", "http://[::1]:8080")),
                new HostNames(Set.of("queen.example", "queen")),
                List.of(block("10.0.0.0", 8), block("::1", 128)),
                11,
                12,
                13,
                14,
                Duration.ofMillis(1500),
                Duration.ofMillis(1600),
                17));
  }

  @Test
  void read_leavesFilesForTheRest() {
    ProtectionConfig small =
        ServerConfig.read(Map.of(), new Machine(1, 64 << 20, 1024)).http().protection();

    assertThat(small.maxConnections()).isEqualTo(768);
    assertThat(small.maxConnectionsPerAddress()).isEqualTo(384);
  }

  @Test
  void clientCertificates_areRequired_whenItIsKnownWhoSignsThem() {
    Map<String, String> environment =
        Map.of("QUEEN_TLS_CERT", "c", "QUEEN_TLS_KEY", "k", "QUEEN_TLS_CLIENT_CA", "ca");

    assertThat(read(environment).https().orElseThrow().clients())
        .isEqualTo(ClientCertificates.REQUIRED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QUEEN_TLS_CERT=c|QUEEN_TLS_CERT and QUEEN_TLS_KEY need each other",
        "QUEEN_TLS_KEY=k|QUEEN_TLS_CERT and QUEEN_TLS_KEY need each other",
        "QUEEN_TLS_CLIENT_CA=a|there is no TLS without QUEEN_TLS_CERT",
        "QUEEN_TLS_CERT=c QUEEN_TLS_KEY=k QUEEN_TLS_CLIENT_AUTH=required|QUEEN_TLS_CLIENT_CA does"
            + " not",
        "PG_SSL_CERT=c|PG_SSL_CERT and PG_SSL_KEY need each other",
        "QUEEN_ALLOWED_HOSTS=https://a.example|QUEEN_ALLOWED_HOSTS is 'https://a.example', but",
        "QUEEN_ALLOWED_HOSTS=a.example:80|QUEEN_ALLOWED_HOSTS is 'a.example:80', but",
        "QUEEN_TRUSTED_PROXIES=proxy.example|QUEEN_TRUSTED_PROXIES is 'proxy.example', but",
        "QUEEN_TRUSTED_PROXIES=10.0.0.0/33|QUEEN_TRUSTED_PROXIES is '10.0.0.0/33', but"
      })
  void whatDoesNotFit_isTold(String variables, String mistake) {
    Map<String, String> environment = new HashMap<>();
    for (String variable : variables.split(" ", -1)) {
      environment.put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
    }
    assertThatThrownBy(() -> read(environment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(mistake);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.example",
        "https://a.example/",
        "https://a.example,*",
        "https://*.example",
        "null"
      })
  void origins_areWholeOrNone(String text) {
    assertThatThrownBy(() -> CorsOrigins.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void origins_mayBeNone() {
    assertThat(CorsOrigins.parse("none").allow("https://a.example")).isFalse();
    assertThat(CorsOrigins.parse("https://a.example").allow("https://A.example")).isTrue();
    assertThat(CorsOrigins.parse("https://a.example").allow("http://a.example")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0,8,10.255.0.1,true",
    "10.0.0.0,8,11.0.0.1,false",
    "192.168.4.0,22,192.168.7.255,true",
    "192.168.4.0,22,192.168.8.0,false",
    "127.0.0.1,32,127.0.0.1,true",
    "0.0.0.0,0,8.8.8.8,true",
    "0.0.0.0,0,::1,false",
    "fd00::,8,fdff::1,true",
    "2001:db8::,33,2001:db8:8000::1,false",
    "127.0.0.1,32,::ffff:127.0.0.1,true"
  })
  void blocks_goByBits(String first, int bits, String address, boolean within) {
    assertThat(block(first, bits).contains(AddressBlock.address(address).orElseThrow()))
        .isEqualTo(within);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "1.2.3", "1.2.3.999", ":", ":::", "fe80::1%eth0", "", "a"})
  void names_areNoAddresses(String text) {
    assertThat(AddressBlock.address(text)).isEmpty();
  }

  private static AddressBlock block(String first, int bits) {
    return new AddressBlock(AddressBlock.address(first).orElseThrow(), bits);
  }

  private static ProtectionConfig read(Map<String, String> environment) {
    return ServerConfig.read(environment, new Machine(4, 512 << 20, 1 << 20)).http().protection();
  }
}
