package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static dev.queenmq.server.http.messages.Codecs.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonGeneratorDice;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.testing.Allocation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushCodecTest {
  private final PushCodec codec = new PushCodec(Codecs.FACTORY, Codecs.LIST, Codecs.IDS);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                      | items array is required
          []                                      | items array is required
          7                                       | items array is required
          {"items":null}                          | items array is required
          {"items":{}}                            | items array is required
          {"items":[{"queue":"q"}],"items":1}     | items array is required
          {"items":[1]}                           | Queue must be a string
          {"items":[{}]}                          | Queue must be a string
          {"items":[{"queue":null}]}              | Queue must be a string
          {"items":[{"queue":{"a":[1]}}]}         | Queue must be a string
          {"items":[{"queue":"q"},{"queue":5}]}   | Queue must be a string
          {"items":[{"queue":""}]}                | queue must not be empty
          {"items":[{"queue":"q"},{"queue":""}]}  | queue must not be empty
          {"items":[{"queue":"q"},{}]}            | Queue must be a string
          {"items":[{"queue":5},{"queue":""}]}    | Queue must be a string
          {"items":[{"queue":5},{"queu":"q"}]}    | unknown field "queu", did you mean "queue"?
          {"items":[{"queue":5}],"items":[{"queue":""}]}     | queue must not be empty
          {"items":[{"queue":"q","partition":"p"},{"queue":"q","partition":""}]} | partition must not be empty
          {"items":[{"queue":"a\\u0000b"}]}       | queue contains the character NUL
          {"items":[{"queue":"\\ud800"}]}         | queue contains half a surrogate pair
          {"items":[{"queue":"\\udc00\\ud800"}]}  | queue contains half a surrogate pair
          {"items":[{"queue":"q","partition":1}]}            | Partition must be a string
          {"items":[{"queue":"q","partition":""}]}           | partition must not be empty
          {"items":[{"queue":"q","partition":"\\u0000"}]}    | partition contains the character NUL
          {"items":[{"queue":"q","transactionId":""}]}       | transactionId must not be empty
          {"items":[{"queue":"q","transactionId":[]}]}       | TransactionId must be a string
          {"items":[{"queue":"q","transactionId":"\\u0000"}]}| transactionId contains the character NUL
          {"items":[{"queue":"a\\nb"}]}           | queue contains a control character
          {"items":[{"queue":"q","partition":" "}]}          | partition must not be blank
          {"items":[{"queue":"q","payload":1,"data":2}]}     | payload and data must not differ
          {"items":[{"queue":"q","pay\\nload":1}]}           | unknown field "pay�load", did you mean "payload"?
          {"items":[{"queue":"q","traceId":5}]}              | TraceId must be a string
          {"items":[{"queue":"q","traceId":"1-1-1-1-1"}]}    | TraceId must be a UUID
          {"items":[{},{},{},{},{},{}]}                      | items has more than the limit of 5 elements
          """)
  void read_saysWhatIsWrong(String json, String text) {
    assertBadRequest(() -> codec.read(body(json)), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"queue", "partition", "transactionId"})
  void read_limitsNamesTo255Characters(String field) {
    String longest = "\ud83d\ude00".repeat(255);
    String template = "{\"items\":[{\"queue\":\"q\",\"%s\":\"%s\"}]}";
    assertThat(codec.read(body(template.formatted(field, longest)))).hasSize(1);
    assertBadRequest(
        () -> codec.read(body(template.formatted(field, longest + "x"))),
        field + " is longer than 255 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t "})
  void read_refusesAnEmptyBody(String json) {
    assertBadRequest(() -> codec.read(body(json)), "Empty request body");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "nope",
        "{\"items\":[{\"queue\":\"q\"}]",
        "{\"items\":[{\"queue\":\"q\"}]} x",
        "{\"items\":[]} {}",
        "{\"items\":[]}]",
        "{\"items\":[{\"queue\":\"q\",\"payload\":{\"a\":tru}}]}",
        "{\"items\":[{\"queue\":\"q\",\"payload\":01}]}",
        "{\"items\":[{\"queue\":\"q\",\"payload\":\"\u0001\"}]}",
        "{\"items\":[{\"queue\":\"q\",\"payload\":NaN}]}",
        "{\"items\":[{\"queue\":\"q\",\"payload\":[1,]}]}",
        "{'items':[]}",
        "{\"items\":[]/*x*/}"
      })
  void read_refusesWhatIsNotJson_inOneShortLine(String json) {
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> codec.read(body(json)))
        .isInstanceOfSatisfying(
            HttpProblem.class,
            problem ->
                assertThat(problem.text())
                    .startsWith("Invalid JSON: ")
                    .doesNotContain("\n", "Source", "REDACTED", "StreamRead")
                    .hasSizeLessThan(260));
  }

  @Test
  void read_refusesWhatIsNotUtf8() {
    byte[][] wrong = {
      {(byte) 0xff},
      {(byte) 0xc0, (byte) 0x80},
      {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
      {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
      {(byte) 0xe4, (byte) 0xb8},
    };
    for (byte[] bytes : wrong) {
      String start = "{\"items\":[{\"queue\":\"q\",\"payload\":\"";
      byte[] json =
          (start + "\u0000".repeat(bytes.length) + "\"}]}").getBytes(StandardCharsets.UTF_8);
      System.arraycopy(bytes, 0, json, start.length(), bytes.length);
      assertBadRequest(() -> codec.read(body(json)), "Invalid JSON: not UTF-8");
    }
    assertBadRequest(
        () -> codec.read(body("{\"items\":[]}".getBytes(StandardCharsets.UTF_16LE))),
        "Invalid JSON: not UTF-8");
  }

  @Test
  void read_namesTheLimitOfDepth() {
    String open = "{\"items\":[{\"queue\":\"q\",\"payload\":";
    assertThat(codec.read(body(open + "[".repeat(17) + "]".repeat(17) + "}]}"))).hasSize(1);
    assertBadRequest(
        () -> codec.read(body(open + "[".repeat(18) + "]".repeat(18) + "}]}")),
        "JSON is nested deeper than the limit of 20 levels");
  }

  @Test
  void read_fillsInWhatIsMissing() {
    Message message = codec.read(body("{\"x\":[{}],\"items\":[{\"queue\":\"q\"}],\"y\":1}")).get(0);

    assertThat(message.queue()).isEqualTo("q");
    assertThat(message.partition()).isEqualTo("Default");
    assertThat(message.payload()).isEqualTo("null");
    assertThat(message.traceId()).isNull();
    assertThat(message.id().version()).isEqualTo(7);
    assertThat(UUID.fromString(message.transactionId()).version()).isEqualTo(4);
    assertThat(message.encrypted()).isFalse();
  }

  @Test
  void read_takesEmptyIdsForAbsent() {
    Message message =
        codec
            .read(
                body(
                    "{\"items\":[{\"queue\":\"q\",\"partition\":null,\"transactionId\":null,\"traceId\":\"\"}]}"))
            .get(0);
    assertThat(message.transactionId()).hasSize(36);
    assertThat(message.traceId()).isNull();
  }

  @Test
  void read_letsTheLastOfEqualFieldsWin() {
    List<Message> messages =
        codec.read(
            body(
                "{\"items\":[5],\"items\":[{\"queue\":1,\"queue\":\"a\",\"payload\":1,\"payload\":2}]}"));
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0).queue()).isEqualTo("a");
    assertThat(messages.get(0).payload()).isEqualTo("2");
  }

  @Test
  void read_keepsTheOrder_andIncreasesIds() {
    List<Message> messages =
        codec.read(body("{\"items\":[{\"queue\":\"a\"},{\"queue\":\"b\"},{\"queue\":\"c\"}]}"));
    assertThat(messages).extracting(Message::queue).containsExactly("a", "b", "c");
    assertThat(messages).extracting(Message::id).isSorted();
  }

  @Test
  void read_mixesNoMessageWithTheOneBefore() {
    UUID trace = new UUID(1, 2);
    List<Message> messages =
        codec.read(
            body(
                "{\"items\":[{\"queue\":\"a\",\"partition\":\"p\",\"transactionId\":\"t\",\"traceId\":\"%s\",\"data\":1},"
                        .formatted(trace)
                    + "{\"queue\":\"a\"},"
                    + "{\"queue\":\"b\",\"partition\":\"p\",\"payload\":2},"
                    + "{\"queue\":\"a\",\"partition\":\"p\",\"transactionId\":null}]}"));

    assertThat(messages).extracting(Message::queue).containsExactly("a", "a", "b", "a");
    assertThat(messages).extracting(Message::partition).containsExactly("p", "Default", "p", "p");
    assertThat(messages).extracting(Message::payload).containsExactly("1", "null", "2", "null");
    assertThat(messages).extracting(Message::traceId).containsExactly(trace, null, null, null);
    assertThat(messages).extracting(Message::transactionId).startsWith("t").doesNotHaveDuplicates();
  }

  @Test
  void read_saysFirstThatABodyIsNoJson_andThenWhatIsWrongWithAMessage() {
    assertThatThrownBy(() -> codec.read(body("{\"items\":[{\"queue\":5},{\"queue\":\"q\"]}")))
        .hasMessageStartingWith("Invalid JSON");
  }

  @Test
  void read_countsTheBytesOfPayloads() {
    List<Message> messages =
        codec.read(
            body(
                "{\"items\":[{\"queue\":\"q\",\"payload\": \"\u00fc\u4e16\ud83d\ude00\" },"
                    + "{\"queue\":\"q\",\"data\":[1, 2]},{\"queue\":\"q\"},"
                    + "{\"queue\":\"q\",\"payload\":null,\"data\":\"\u00fc\"}]}"));

    assertThat(messages).extracting(Message::payloadBytes).containsExactly(11, 6, 4, 4);
    for (Message read : messages) {
      assertThat(Message.of("q", "Default", read.id(), read.transactionId(), read.payload()))
          .isEqualTo(read);
    }
  }

  @Test
  void read_takesAByteOrderMark() {
    assertThat(codec.read(body("\ufeff{\"items\":[{\"queue\":\"q\",\"payload\":{\"a\": 1}}]}")))
        .extracting(Message::payload)
        .containsExactly("{\"a\": 1}");
  }

  @Test
  void read_refusesASecondByteOrderMark() {
    assertBadRequest(
        () -> codec.read(body("\ufeff\ufeff{\"items\":[{\"queue\":\"q\",\"payload\":1}]}")),
        "Invalid JSON: more than one byte order mark");
  }

  @Test
  void read_readsOnlyTheBody_notTheRestOfTheArray() {
    byte[] bytes = "{\"items\":[]}garbage".getBytes(StandardCharsets.UTF_8);
    assertThat(codec.read(new Body(bytes, bytes.length - "garbage".length()))).isEmpty();
  }

  @Test
  void read_keepsPayloadsByteForByte() {
    for (long seed = 0; seed < 3_000; seed++) {
      JsonGeneratorDice dice = new JsonGeneratorDice(seed);
      List<String> payloads = new ArrayList<>();
      StringBuilder json = new StringBuilder(dice.space()).append("{\"items\":[");
      for (int i = 0; i < Codecs.MAX_ITEMS; i++) {
        String payload = dice.value(5);
        payloads.add(payload);
        json.append(i == 0 ? "" : ",").append(dice.space()).append("{\"queue\":\"\u00fc\",");
        json.append("\"other\":").append(dice.value(3)).append(dice.space()).append(',');
        json.append("\"payload\"").append(dice.space()).append(':').append(dice.space());
        json.append(payload).append(dice.space());
        json.append(i % 2 == 0 ? ",\"partition\":\"p\"" : "").append("}").append(dice.space());
      }
      json.append("]").append(dice.space()).append("}").append(dice.space());

      assertThat(codec.read(body(json.toString())))
          .as("seed %d", seed)
          .extracting(Message::payload)
          .containsExactlyElementsOf(payloads);
    }
  }

  @Test
  void read_doesNotPayForNamesOfEarlierRequests() {
    int[] user = {0};
    int requests = 5_000;
    Runnable pushes =
        () -> {
          for (int i = 0; i < requests; i++) {
            String payload = "{\"user-" + user[0]++ + "\":1}";
            codec.read(body("{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + "}]}"));
          }
        };
    assertThat(Allocation.isWithin(requests * 40_000L, pushes)).isTrue();
  }

  @Test
  void read_takesAPayloadOfManyMegabytes() {
    String payload = "\"" + "\u4e16x".repeat(5 << 20) + "\"";
    assertThat(
            codec
                .read(body("{\"items\":[{\"payload\":" + payload + ",\"queue\":\"q\"}]}"))
                .get(0)
                .payload())
        .isEqualTo(payload);
  }

  @Test
  void write_followsTheContract() {
    UUID id = new UUID(1, 2);
    UUID first = new UUID(7, 8);
    UUID partition = new UUID(3, 4);
    UUID trace = new UUID(5, 6);
    Message plain = Message.of("q\u00fc", "p", id, "t\"1", "{}");
    Message traced = new Message("q", "p", id, "t2", "{}", trace, null, false);

    String json =
        PushCodec.write(
                List.of(plain, traced, plain, plain, plain, plain),
                List.of(
                    new PushOutcome.Queued(id, partition, 7, Instant.EPOCH),
                    new PushOutcome.Queued(id, partition, 8, Instant.EPOCH),
                    new PushOutcome.Duplicate(first, partition),
                    new PushOutcome.QueueFull(),
                    new PushOutcome.Unanswered(new Problem("database away"), true),
                    new PushOutcome.Buffered()))
            .toString();

    assertThat(json)
        .isEqualTo(
            """
            [{"index":0,"status":"queued","transaction_id":"t\\"1","message_id":"%1$s",\
            "partition_id":"%2$s","trace_id":null,"queueName":"q\u00fc"},\
            {"index":1,"status":"queued","transaction_id":"t2","message_id":"%1$s",\
            "partition_id":"%2$s","trace_id":"%3$s","queueName":"q"},\
            {"index":2,"status":"duplicate","transaction_id":"t\\"1","message_id":"%4$s",\
            "queueName":"q\u00fc"},\
            {"index":3,"status":"failed","error":"queue full","transaction_id":"t\\"1",\
            "transactionId":"t\\"1","queue":"q\u00fc","partition":"p","queueName":"q\u00fc"},\
            {"index":4,"status":"failed","error":"database away","transaction_id":"t\\"1",\
            "transactionId":"t\\"1","queue":"q\u00fc","partition":"p","queueName":"q\u00fc"},\
            {"index":5,"status":"buffered","transaction_id":"t\\"1","transactionId":"t\\"1",\
            "queue":"q\u00fc","partition":"p"}]\
            """
                .formatted(id, partition, trace, first));
  }

  @Test
  void write_aDuplicateOfItself_isQueued() {
    UUID id = new UUID(1, 2);
    UUID partition = new UUID(3, 4);

    String json =
        PushCodec.write(
                List.of(Message.of("q", "p", id, "t", "{}")),
                List.of(new PushOutcome.Duplicate(id, partition)))
            .toString();

    assertThat(json)
        .isEqualTo(
            """
            [{"index":0,"status":"queued","transaction_id":"t","message_id":"%1$s",\
            "partition_id":"%2$s","trace_id":null,"queueName":"q"}]\
            """
                .formatted(id, partition));
  }
}
