package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static dev.queenmq.server.http.messages.Codecs.body;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseCodecTest {
  private final LeaseCodec codec = new LeaseCodec(Codecs.FACTORY);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                     | 60
          {}                     | 60
          []                     | 60
          null                   | 60
          {"seconds":null}       | 60
          {"seconds":5}          | 5
          {"seconds":0}          | 0
          {"seconds":5.0}        | 5
          {"seconds":"120"}      | 120
          {"seconds":1,"seconds":2,"x":{}} | 2
          """)
  void read_takesWhatClientsSend(String json, int seconds) {
    assertThat(codec.read(body(json)).toSeconds()).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1.5",
        "\"x\"",
        "\"\"",
        "true",
        "{}",
        "[]",
        "2592001",
        "1e12",
        "1e999999999"
      })
  void read_refusesWhatIsNoNumberOfSeconds(String seconds) {
    assertBadRequest(
        () -> codec.read(body("{\"seconds\":" + seconds + "}")),
        "seconds must be a whole number between 0 and 2592000");
  }

  @Test
  void write_hasTheExpiryUnderEachName() {
    assertThat(LeaseCodec.renewed("l", Instant.parse("2026-11-15T00:27:00.120999Z")).toString())
        .isEqualTo(
            """
            {"success":true,"leaseId":"l","error":null,"expiresAt":"2026-11-15T00:27:00.120Z",\
            "newExpiresAt":"2026-11-15T00:27:00.120Z","lease_expires_at":"2026-11-15T00:27:00.120Z",\
            "index":0}\
            """);
    assertThat(LeaseCodec.failed("l", "Lease not found").toString())
        .startsWith(
            "{\"success\":false,\"leaseId\":\"l\",\"error\":\"Lease not"
                + " found\",\"expiresAt\":null");
  }
}
