package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThroughputTest {

  private final Throughput throughput = new Throughput();

  @Test
  void perSecond_isZero_atFirst() {
    assertThat(throughput.perSecond(seconds(7), 1_000_000)).isZero();
  }

  @Test
  void perSecond_isTheMeanSinceTheFirstLook() {
    throughput.perSecond(seconds(10), 100);

    assertThat(throughput.perSecond(seconds(12), 150)).isEqualTo(25.0);
    assertThat(throughput.perSecond(seconds(20), 150)).isEqualTo(5.0);
  }

  @Test
  void perSecond_forgetsWhatIsOlderThanFiveMinutes() {
    throughput.perSecond(seconds(0), 0);
    throughput.perSecond(seconds(100), 1_000_000);

    assertThat(throughput.perSecond(seconds(350), 1_000_250)).isEqualTo(1.0);
  }

  @Test
  void perSecond_countsFromTheLastLook_howeverLongAgo() {
    throughput.perSecond(seconds(0), 0);

    assertThat(throughput.perSecond(seconds(1000), 500)).isEqualTo(0.5);
  }

  @Test
  void perSecond_tellsNothing_aboutLessThanASecond() {
    throughput.perSecond(seconds(0), 0);

    assertThat(throughput.perSecond(1_000, 500)).isZero();
    assertThat(throughput.perSecond(seconds(2), 500)).isEqualTo(250.0);
  }

  @Test
  void perSecond_startsOver_whenTheCounterFalls() {
    throughput.perSecond(seconds(0), 1000);

    assertThat(throughput.perSecond(seconds(10), 10)).isZero();
    assertThat(throughput.perSecond(seconds(20), 30)).isEqualTo(2.0);
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }
}
