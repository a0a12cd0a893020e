package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  @Test
  void delay_doublesUpToTheLongest_andIsScattered() {
    RetryPolicy policy =
        new RetryPolicy(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(3));

    assertThat(policy.delay(1, 1)).isEqualTo(Duration.ofMillis(100));
    assertThat(policy.delay(1, 0)).isEqualTo(Duration.ofMillis(50));
    assertThat(policy.delay(3, 1)).isEqualTo(Duration.ofMillis(400));
    assertThat(policy.delay(1_000, 1)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void forEver_isANumberOfNanoseconds() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    RetryPolicy policy = new RetryPolicy(forEver, Duration.ofMillis(100), forEver);

    assertThat(policy.giveUpAfter().toNanos()).isGreaterThan(Duration.ofDays(36_000).toNanos());
    assertThat(policy.delay(1, 1)).isEqualTo(Duration.ofMillis(100));
  }
}
