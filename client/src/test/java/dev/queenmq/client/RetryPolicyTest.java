package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
}
