package dev.queenmq.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitedLogTest {

  private final List<String> lines = new ArrayList<>();
  private long now = 5;
  private final LimitedLog log = new LimitedLog(lines::add, () -> now);

  @Test
  void oneLine_forEachPeerAndReasonAndMinute_withACount() {
    log.write("a", "x", "first");
    log.write("a", "x", "second");
    log.write("a", "x", "third");
    log.write("a", "y", "other reason");
    log.write("b", "x", "other peer");
    now += Duration.ofMinutes(1).toNanos();
    log.write("a", "x", "fourth");
    now += Duration.ofMinutes(1).toNanos();
    log.write("a", "x", "fifth");

    assertThat(lines)
        .containsExactly(
            "first",
            "other reason",
            "other peer",
            "fourth (and 2 more like this since the last line)",
            "fifth");
  }

  @Test
  void floodFromManyAddresses_isBoundedToo() {
    for (int i = 0; i < 100_000; i++) {
      log.write("spoofed " + i, "x", "line");
    }

    assertThat(lines).hasSizeLessThan(300);
    now += Duration.ofMinutes(1).toNanos();
    log.write("a peer", "x", "again");
    assertThat(lines).last().isEqualTo("again");
  }
}
