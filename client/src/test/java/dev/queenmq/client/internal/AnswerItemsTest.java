package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.PayloadException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
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
