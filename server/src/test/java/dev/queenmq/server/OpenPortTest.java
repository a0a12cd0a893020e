package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.ServerConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenPortTest {
  private static final String SECRET = "0123456789abcdef".repeat(2);

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1"})
  void open_isWarnedOf(String host) {
    assertThat(OpenPort.warning(config(Map.of("HOST", host))))
        .get()
        .asString()
        .contains(host, "JWT_ENABLED=true", "QUEEN_TLS_CLIENT_CA", "HOST=127.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "::1"})
  void loopback_isNot(String host) {
    assertThat(OpenPort.warning(config(Map.of("HOST", host)))).isEmpty();
  }

  @Test
  void tokensAndCertificates_areEnough() {
    assertThat(OpenPort.warning(config(Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET))))
        .isEmpty();
    Map<String, String> tls =
        Map.of("QUEEN_TLS_CERT", "c", "QUEEN_TLS_KEY", "k", "QUEEN_TLS_CLIENT_CA", "a");
    assertThat(OpenPort.warning(config(tls))).isEmpty();
    Map<String, String> plain = Map.of("QUEEN_TLS_CERT", "c", "QUEEN_TLS_KEY", "k");
    assertThat(OpenPort.warning(config(plain))).isPresent();
  }

  private static ServerConfig config(Map<String, String> environment) {
    return ServerConfig.read(environment, List.of());
  }
}
