package dev.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "127.0.0.1:6632",
        "a.b-c.example:80",
        "A.example",
        "[::1]:6632",
        "x:65535",
        "_x~"
      })
  void isOne_ofHostsWithAndWithoutPort(String text) {
    assertThat(Authority.isOne(text)).isTrue();
    assertThat(Authority.parse(text)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":80",
        "a:",
        "a:65536",
        "a:123456",
        "a:8x",
        "a b",
        "a/b",
        "a:80:81",
        "a\n",
        "é"
      })
  void isOne_ofNothingElse(String text) {
    assertThat(Authority.isOne(text)).isFalse();
    assertThat(Authority.parse(text)).isEmpty();
  }

  @Test
  void isOne_saysWhatParseSays() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String characters = "aZ09.-_~:[]% /";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(characters.charAt(random.nextInt(characters.length())));
      }
      assertThat(Authority.isOne(text.toString()))
          .as("seed %d: %s", seed, text)
          .isEqualTo(Authority.parse(text.toString()).isPresent());
    }
  }

  @Test
  void parse_readsHostAndPort() {
    assertThat(Authority.parse("Host.Example.:80"))
        .contains(new Authority("host.example", OptionalInt.of(80)));
    assertThat(Authority.parse("[FE80::1%eth0]"))
        .contains(new Authority("fe80::1", OptionalInt.empty()));
  }
}
