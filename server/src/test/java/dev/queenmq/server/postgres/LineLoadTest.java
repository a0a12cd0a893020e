package dev.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineLoadTest {
  private final LineLoad load = new LineLoad();

  @Test
  void nothingUnderWay_isNoWait() {
    answerEach(1_000, 50);

    assertThat(load.expectedWait(0, 1_000_000)).isZero();
  }

  @Test
  void eachUnderWay_isExpectedToTakeAsLongAsThoseBefore() {
    long now = answerEach(1_000, 100);
    load.sending(0, now);

    assertThat(load.expectedWait(1, now)).isBetween(999.0, 1_000.0);
    assertThat(load.expectedWait(3, now)).isBetween(2_997.0, 3_000.0);
  }

  @Test
  void aStatementThatTakesLonger_isExpectedToTakeAsLongOnceMore() {
    long now = answerEach(1_000, 100);
    load.sending(0, now);

    assertThat(load.expectedWait(1, now + 50_000)).isEqualTo(50_000);
  }

  @Test
  void timeBehindOthers_isNotTheirOwn() {
    load.sending(0, 0);
    load.sending(1, 0);
    load.answered(8_000); // an eighth of it counts
    load.answered(8_000); // it took no time

    assertThat(load.expectedWait(1, 8_000)).isEqualTo(875);
  }

  /** Statements one after the other; the time at their end. */
  private long answerEach(long nanos, int times) {
    long now = 0;
    for (int i = 0; i < times; i++) {
      load.sending(0, now);
      now += nanos;
      load.answered(now);
    }
    return now;
  }
}
