package dev.queenmq.server.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Message;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PushLoadTest {
  private static final Duration SMALL = Duration.ofSeconds(2);
  private static final int TWO_MEGABYTES = 2 << 20;

  private final PushLoad load = new PushLoad();

  @Test
  void patience_followsTheBytesOnTheirWay_untilTheyAreAnswered() {
    assertThat(load.patience(SMALL)).isEqualTo(SMALL);
    Promise<Void> large = Promise.promise();
    Promise<Void> other = Promise.promise();
    load.count(messages(5), large.future());
    assertThat(load.patience(SMALL)).isEqualTo(Duration.ofSeconds(7));
    load.count(messages(3), other.future());
    assertThat(load.patience(SMALL)).isEqualTo(Duration.ofSeconds(10));
    large.complete();
    assertThat(load.patience(SMALL)).isEqualTo(Duration.ofSeconds(5));
    other.fail("expected");
    assertThat(load.patience(SMALL)).isEqualTo(SMALL);
  }

  @Test
  void patience_hasALimit() {
    load.count(messages(200), Promise.<Void>promise().future());
    assertThat(load.patience(SMALL)).isEqualTo(Duration.ofSeconds(62));
  }

  private static List<Message> messages(int count) {
    String payload = " ".repeat(TWO_MEGABYTES);
    return Collections.nCopies(count, Message.of("q", "p", new UUID(0, 1), "t", payload));
  }
}
