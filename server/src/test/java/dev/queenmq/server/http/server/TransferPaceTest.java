package dev.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransferPaceTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MIB = 1 << 20;

  @Test
  void aFastBeginning_doesNotExcuseASlowRest() {
    TransferPace pace = new TransferPace(10 * SECOND, 256, 0, 0);
    assertThat(pace.isTooSlow(60 * MIB, 10 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(60 * MIB + 1, 15 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(60 * MIB + 1, 20 * SECOND)).isTrue();
  }

  @Test
  void allOfIt_hasToArriveWithinTenMinutes() {
    TransferPace large = new TransferPace(10 * SECOND, 256, 60 * MIB, 0);
    assertThat(large.isTooSlow(MIB / 2, 10 * SECOND)).isTrue();
    TransferPace steady = new TransferPace(10 * SECOND, 256, 60 * MIB, 0);
    for (long i = 1; i < 50; i++) {
      assertThat(steady.isTooSlow(i * 2 * MIB, i * 10 * SECOND)).isFalse();
    }
  }

  @Test
  void theRateHoldsForAllTransfers() {
    TransferPace pace = new TransferPace(10 * SECOND, 100, 10, 0);
    assertThat(pace.isTooSlow(0, 9 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(1000, 10 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(1999, 20 * SECOND)).isTrue();
  }
}
