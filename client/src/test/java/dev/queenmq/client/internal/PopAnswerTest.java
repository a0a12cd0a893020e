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
      String message =
          "{\"id\":\"i\",\"transactionId\":\"é\",\"partitionId\":\"p\",\"data\":"
              + payload
              + after
              + "}";
      String body =
          "{\"success\":true,\"messages\":["
              + String.join(",", message, message, message.replace("data\":", "data\" :\t"))
              + "],\"x\":[1]}";
      List<PopAnswer.Received> read = PopAnswer.read(bytes(body), "q");

      assertThat(read).hasSize(3);
      for (PopAnswer.Received each : read) {
        assertThat(new String(each.payload(), StandardCharsets.UTF_8)).isEqualTo(payload);
        assertThat(each.attempt()).isEqualTo(after.isEmpty() ? 1 : 7);
      }
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
  void read_givesWhatMessagesShareOnce() {
    List<PopAnswer.Received> read =
        read(message("orders", "p1", "g"), message("orders", "p1", "g"));
    PopAnswer.Received first = read.get(0);
    PopAnswer.Received second = read.get(1);

    assertThat(second.queue()).isEqualTo("orders").isSameAs(first.queue());
    assertThat(second.partition()).isEqualTo("p1").isSameAs(first.partition());
    assertThat(second.partitionId()).isEqualTo("id of p1").isSameAs(first.partitionId());
    assertThat(second.leaseId()).isEqualTo("lease of p1").isSameAs(first.leaseId());
    assertThat(second.consumerGroup()).isEqualTo("g").isSameAs(first.consumerGroup());
    assertThat(second.createdAt()).isEqualTo(MOMENT).isSameAs(first.createdAt());
    assertThat(second.leaseExpiresAt()).isEqualTo(MOMENT).isSameAs(first.leaseExpiresAt());
  }

  @Test
  void read_tellsTextsApart() {
    List<String> partitions =
        List.of("p1", "p1", "p2", "p", "p2", "p23", "", "p\\\"", "p\\\\", "é", "è", "pé", "p1");

    List<PopAnswer.Received> read =
        read(
            partitions.stream()
                .map(partition -> message(partition, partition, partition))
                .toArray(String[]::new));

    for (int i = 0; i < partitions.size(); i++) {
      String expected = partitions.get(i).replace("\\\"", "\"").replace("\\\\", "\\");
      assertThat(read.get(i).queue()).isEqualTo(expected);
      assertThat(read.get(i).partition()).isEqualTo(expected);
      assertThat(read.get(i).partitionId()).isEqualTo("id of " + expected);
      assertThat(read.get(i).leaseId()).isEqualTo("lease of " + expected);
      assertThat(read.get(i).consumerGroup()).isEqualTo(expected);
    }
  }

  @Test
  void read_tellsTimesApart() {
    List<PopAnswer.Received> read =
        read(
            message("q", "p", "g"),
            message("q", "p", "g").replace("00:00Z", "00:01Z"),
            message("q", "p", "g"));

    assertThat(read)
        .extracting(PopAnswer.Received::createdAt)
        .containsExactly(MOMENT, MOMENT.plusSeconds(1), MOMENT);
    assertThat(read)
        .extracting(PopAnswer.Received::leaseExpiresAt)
        .containsExactly(MOMENT, MOMENT.plusSeconds(1), MOMENT);
  }

  /** What a message lacks does not come from the one before it. */
  @Test
  void read_takesMessagesOfOtherBrokers() {
    List<PopAnswer.Received> read =
        read(
            message("orders", "p1", "g"),
            "{\"id\":\"i2\",\"transactionId\":\"t2\",\"partitionId\":\"pid\"}",
            """
            {"leaseExpiresAt":null,"leaseId":null,"consumerGroup":null,"queue":null,"partitionId":7,
            "partition":5,"new":{"id":"x"},"attempt":2,"transactionId":"t3","id":"i3","data":[3]}
            """,
            """
            {"leaseExpiresAt":null,"leaseId":"l","consumerGroup":"g","queue":"r","partitionId":71,
            "partition":57,"new":{"id":"x"},"attempt":3,"transactionId":"t4","id":"i4","data":[4]}
            """);

    assertThat(read).extracting(PopAnswer.Received::id).containsExactly("i", "i2", "i3", "i4");
    assertThat(read).extracting(PopAnswer.Received::queue).containsExactly("orders", "q", "q", "r");
    assertThat(read)
        .extracting(PopAnswer.Received::partition)
        .containsExactly("p1", "Default", "5", "57");
    assertThat(read)
        .extracting(PopAnswer.Received::partitionId)
        .containsExactly("id of p1", "pid", "7", "71");
    assertThat(read)
        .extracting(PopAnswer.Received::leaseId)
        .containsExactly("lease of p1", "", "", "l");
    assertThat(read)
        .extracting(PopAnswer.Received::consumerGroup)
        .containsExactly("g", "__QUEUE_MODE__", "__QUEUE_MODE__", "g");
    assertThat(read).extracting(PopAnswer.Received::attempt).containsExactly(1, 1, 2, 3);
    assertThat(read)
        .extracting(PopAnswer.Received::createdAt)
        .containsExactly(MOMENT, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
    assertThat(read)
        .extracting(PopAnswer.Received::leaseExpiresAt)
        .containsExactly(MOMENT, null, null, null);
    assertThat(read)
        .extracting(each -> new String(each.payload(), StandardCharsets.UTF_8))
        .containsExactly("{\"queue\":1}", "null", "[3]", "[4]");
  }

  private static final Instant MOMENT = Instant.parse("2026-11-15T13:00:00Z");

  private static List<PopAnswer.Received> read(String... messages) {
    return PopAnswer.read(bytes("{\"messages\":[" + String.join(",", messages) + "]}"), "q");
  }

  private static String message(String queue, String partition, String group) {
    return """
        {"id":"i","transactionId":"t","traceId":null,"data":{"queue":1},"producerSub":null,
        "createdAt":"2026-11-15T13:00:00Z","queue":"%s","partitionId":"id of %s","partition":"%s",
        "leaseId":"lease of %s","consumerGroup":"%s","attempt":1,
        "leaseExpiresAt":"2026-11-15T13:00:00Z"}
        """
        .formatted(queue, partition, partition, partition, group);
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
