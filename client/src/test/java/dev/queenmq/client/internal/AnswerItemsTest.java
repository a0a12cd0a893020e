package dev.queenmq.client.internal;

import static java.nio.charset.StandardCharsets.UTF_16;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.PayloadException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerItemsTest {

  @Test
  void read_takesTheFieldsOfPushesAndAcks_andSkipsOthers() {
    List<AnswerItems.Item> items =
        read(
            "[{\"index\":0,\"status\":\"queued\",\"message_id\":\"m\",\"new\":{\"a\":[1]}},"
                + "{\"success\":true,\"error\":null,\"dlq\":true,\"leaseReleased\":true},"
                + "{\"status\":\"failed\",\"error\":\"why\\n\",\"dlq\":false},7]");

    assertThat(items)
        .containsExactly(
            new AnswerItems.Item("queued", "m", null, false, false, false),
            new AnswerItems.Item(null, null, null, true, true, true),
            new AnswerItems.Item("failed", null, "why\n", false, false, false),
            AnswerItems.Item.NONE);
  }

  /** The fields of an item are expected where those of the one before it stood. */
  @Test
  void read_findsFields_inAnyOrder() {
    List<AnswerItems.Item> items =
        read(
            """
            [{"index":0,"status":"queued","transaction_id":"t","message_id":"m1","queueName":"q"},
            {"index":1,"status":"queued","transaction_id":"t","message_id":"m2","queueName":"q"},
            {"index":2,"status":"duplicate","message_id":"m3"},
            {"message_id":"m4" , "status" : "queued"},
            {},
            {"new":{"status":"x"},"status":"queued","newer":["status"],"message_id":"m5"},
            {"new":{"status":"y"},"status":"queued","newer":["status"],"message_id":"m6"},
            {"index":7,"stat\\u0075s":"queued","":1,"message_id":"m7"},
            {"index":8,"status":"queued","":"status","message_id":"m8"},
            {"index":9,"success":true,"error":"no","leaseReleased":true,"dlq":false},
            {"index":10,"success":false,"error":null,"dlq":true,"leaseReleased":false}]
            """);

    assertThat(items)
        .containsExactly(
            pushed("queued", "m1"),
            pushed("queued", "m2"),
            pushed("duplicate", "m3"),
            pushed("queued", "m4"),
            AnswerItems.Item.NONE,
            pushed("queued", "m5"),
            pushed("queued", "m6"),
            pushed("queued", "m7"),
            pushed("queued", "m8"),
            new AnswerItems.Item(null, null, "no", true, false, true),
            new AnswerItems.Item(null, null, null, false, true, false));
  }

  @Test
  void read_tellsStatusesApart() {
    List<AnswerItems.Item> items =
        read(
            """
            [{"status":"queued"},{"status":"queued"},{"status":"queuex"},{"status":"queue"},
            {"status":"queue\\n"},{"status":"queue"},{"status":"é"},{"status":"è"},{"status":""},
            {"status":"queued"},{"status":5},{"status":null},{"status":["queued"]},{"status":"q"}]
            """);

    assertThat(items)
        .extracting(AnswerItems.Item::status)
        .containsExactly(
            "queued", "queued", "queuex", "queue", "queue\n", "queue", "é", "è", "", "queued", null,
            null, null, "q");
    assertThat(items.get(1).status()).isSameAs(items.get(0).status());
  }

  @Test
  void read_takesAnswersInOtherEncodings() {
    byte[] body = "[{\"status\":\"queued\"},{\"status\":\"queues\"}]".getBytes(UTF_16);

    assertThat(AnswerItems.read(body))
        .containsExactly(pushed("queued", null), pushed("queues", null));
  }

  private static AnswerItems.Item pushed(String status, @Nullable String messageId) {
    return new AnswerItems.Item(status, messageId, null, false, false, false);
  }

  @Test
  void read_findsNothing_inOtherAnswers() {
    assertThat(read("")).isEmpty();
    assertThat(read("{\"error\":[]}")).isEmpty();
    assertThatThrownBy(() -> read("[{\"status\":\"que")).isInstanceOf(PayloadException.class);
  }

  private static List<AnswerItems.Item> read(String json) {
    return AnswerItems.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void times_areReadAsThePlatformReadsThem() {
    Random random = new Random(18);
    for (int i = 0; i < 20_000; i++) {
      long seconds = random.nextLong(4_000_000_000L) - 1_000_000_000L;
      int digits = random.nextInt(10);
      long unit = Math.round(Math.pow(10, 9 - digits));
      Instant moment = Instant.ofEpochSecond(seconds, random.nextInt(1_000_000_000) / unit * unit);
      assertThat(InstantText.parse(moment.toString())).isEqualTo(moment);
    }
    assertThat(InstantText.parse("2026-11-17T12:00:00.5Z"))
        .isEqualTo(Instant.parse("2026-11-17T12:00:00.500Z"));
    assertThat(InstantText.parse("2026-11-17T13:00:00+01:00"))
        .isEqualTo(Instant.parse("2026-11-17T12:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-02-30T00:00:00Z",
        "2026-11-17T25:00:00Z",
        "2026-11-17T12:00:0xZ",
        "2026-11-17T12:00:00,1Z",
        "2026-13-17T12:00:00Z"
      })
  void whatIsNoTime_isRefused(String text) {
    assertThatThrownBy(() -> InstantText.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
