package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupBackoffTest {
  private final GroupBackoff backoff = new GroupBackoff(BackoffRules.defaults());

  @Test
  void interval_growsAfterThreeLooksInVain_upToTheCeiling() {
    List<Integer> intervals = new ArrayList<>();
    for (int look = 0; look < 8; look++) {
      intervals.add(backoff.intervalMillis());
      backoff.looked(false, look);
    }

    assertThat(intervals).containsExactly(100, 100, 100, 200, 400, 800, 1000, 1000);
    assertThat(backoff.backedOff()).isTrue();
  }

  @Test
  void interval_isReset_byMessagesAndByAPush() {
    for (int look = 0; look < 8; look++) {
      backoff.looked(false, look);
    }

    backoff.reset();

    assertThat(backoff.intervalMillis()).isEqualTo(100);
    assertThat(backoff.backedOff()).isFalse();
    for (int look = 0; look < 8; look++) {
      backoff.looked(false, look);
    }
    backoff.tryAcquire();
    backoff.release(true, 9);
    assertThat(backoff.intervalMillis()).isEqualTo(100);
  }

  @Test
  void look_isDue_afterTheInterval() {
    assertThat(backoff.due(0)).isTrue();
    backoff.looked(false, 1000);
    assertThat(backoff.due(1099)).isFalse();
    assertThat(backoff.due(1100)).isTrue();
  }

  @Test
  void acquire_isForOne() {
    assertThat(backoff.tryAcquire()).isTrue();
    assertThat(backoff.tryAcquire()).isFalse();
    backoff.release(false, 0);
    assertThat(backoff.tryAcquire()).isTrue();
  }
}
