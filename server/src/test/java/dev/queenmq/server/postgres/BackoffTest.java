package dev.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private final Backoff backoff = new Backoff(50, 2_000, new Random(1));

  @Test
  void pauseMillis_doublesUpToTheCeiling() {
    assertThat(backoff.pauseMillis(0)).isBetween(25L, 50L);
    assertThat(backoff.pauseMillis(1)).isBetween(50L, 100L);
    assertThat(backoff.pauseMillis(6)).isBetween(1_000L, 2_000L);
    assertThat(backoff.pauseMillis(Integer.MAX_VALUE)).isBetween(1_000L, 2_000L);
  }
}
