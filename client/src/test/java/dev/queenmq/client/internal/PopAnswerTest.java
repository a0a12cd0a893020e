package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.PayloadException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PopAnswerTest {

  /** One such message must not keep the others of an answer from their consumer. */
  @Test
  void read_hasNoLimitsOfItsOwn() {
    read_cutsPayloadsOutByteForByte("1".repeat(2_000));
    read_cutsPayloadsOutByteForByte("[".repeat(2_000) + "]".repeat(2_000));
    read_cutsPayloadsOutByteForByte("{\"" + "n".repeat(100_000) + "\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "0",
        "-12.50e3",
        "true",
        "\"\"",
        "\"a \\\" \\u00e9 é 😀\"",
        "[]",
        "{}",
        "{ \"b\" : [1, {\"c\":null} ],\t\"a\":1.0 }",
        "123456789012345678901234567890"
      })
  void read_cutsPayloadsOutByteForByte(String payload) {
    for (String after : List.of("", ",\"attempt\":7")) {
      String body =
          "{\"success\":true,\"messages\":[{\"id\":\"i\",\"transactionId\":\"é\",\"partitionId\":\"p\",\"data\":"
              + payload
              + after
              + "}],\"x\":[1]}";
      List<PopAnswer.Received> read = PopAnswer.read(bytes(body), "q");

      assertThat(read).hasSize(1);
      assertThat(new String(read.get(0).payload(), StandardCharsets.UTF_8)).isEqualTo(payload);
      assertThat(read.get(0).attempt()).isEqualTo(after.isEmpty() ? 1 : 7);
    }
  }

  @Test
  void read_takesAllFields() {
    PopAnswer.Received read =
        PopAnswer.read(
                bytes(
                    """
                    {"success":true,"queue":"q","messages":[{"id":"01","transactionId":"t",
                    "traceId":"4f2857c7-2d05-4c65-99b1-065df2b0ac68","data":1,"producerSub":"svc",
                    "createdAt":"2026-11-15T13:10:08.409609Z","queue":"orders","partitionId":"pid",
                    "partition":"c-1","leaseId":"lease","consumerGroup":"g","attempt":3,
                    "leaseExpiresAt":"2026-11-15T13:15:09.120Z","new":{"field":[]}}]}
                    """),
                "q")
            .get(0);

    assertThat(read.queue()).isEqualTo("orders");
    assertThat(read.partition()).isEqualTo("c-1");
    assertThat(read.producerSubject()).isEqualTo("svc");
    assertThat(read.createdAt()).isEqualTo(Instant.parse("2026-11-15T13:10:08.409609Z"));
    assertThat(read.leaseExpiresAt()).isEqualTo(Instant.parse("2026-11-15T13:15:09.120Z"));
    assertThat(read.attempt()).isEqualTo(3);
  }

  @Test
  void read_findsNothing_inEmptyAnswers() {
    assertThat(PopAnswer.read(new byte[0], "q")).isEmpty();
    assertThat(PopAnswer.read(bytes("{\"success\":false,\"messages\":[]}"), "q")).isEmpty();
  }

  @Test
  void read_throws_whenTheAnswerIsCut() {
    assertThatThrownBy(() -> PopAnswer.read(bytes("{\"messages\":[{\"id\":\"i\",\"da"), "q"))
        .isInstanceOf(PayloadException.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
