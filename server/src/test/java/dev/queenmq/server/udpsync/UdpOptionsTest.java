package dev.queenmq.server.udpsync;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class UdpOptionsTest {

  @Test
  void toString_doesNotTellTheSecret() {
    UdpOptions options =
        new UdpOptions(
            "a",
            "::",
            1,
            List.of(new PeerAddress("::1", 2)),
            "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII),
            0,
            Duration.ofSeconds(1),
            Duration.ofSeconds(5));

    assertThat(options).hasToString("UdpOptions[a on [::]:1, peers [[::1]:2]]");
  }
}
