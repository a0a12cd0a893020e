package dev.queenmq.server.sidecar.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sidecar.figures.OperationStatistics;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneWaitTest {
  private static final int MOST = 10;

  private final Deque<Promise<List<String>>> calls = new ArrayDeque<>();
  private final List<Integer> sizes = new ArrayList<>();
  private long nanos;
  private final Lane<String, String> lane =
      new Lane<>(
          new Lane.Rules("push", MOST, 1 << 20, 1, 1),
          item -> item,
          this::call,
          new Unhurried(),
          new OperationStatistics("push"));

  @Test
  void servesSoon_whileItDoesNotKnowBetter() {
    add(1000);

    assertThat(lane.servesSoon(MOST, 100)).isTrue();
  }

  @Test
  void servesSoon_untilWhatWaitsTakesLongerThanASecond() {
    add(MOST);
    pass(Duration.ofMillis(60));
    answer();

    add(16 * MOST);
    assertThat(lane.servesSoon(MOST, 100)).isTrue();
    add(6 * MOST);
    assertThat(lane.servesSoon(MOST, 100)).isFalse();
  }

  @Test
  void servesSoon_smallOnes_whichWaitForEachOtherOnly() {
    add(MOST);
    pass(Duration.ofMillis(60));
    answer();
    add(100 * MOST);
    assertThat(lane.servesSoon(1, 10)).isTrue();
    for (int i = 0; i < 10 * MOST; i++) {
      assertThat(lane.add(List.of("small"), 1)).isNotNull();
    }

    assertThat(lane.servesSoon(1, 10)).isFalse();
  }

  @Test
  void servesSoon_afterSmallCalls_howeverSlow() {
    add(1);
    pass(Duration.ofMillis(200));
    answer();
    add(100 * MOST);

    assertThat(lane.servesSoon(MOST, 100)).isTrue();
  }

  private void add(int items) {
    assertThat(lane.add(Collections.nCopies(items, "p"), items)).isNotNull();
  }

  private Future<List<String>> call(List<String> items) {
    Promise<List<String>> answer = Promise.promise();
    calls.add(answer);
    sizes.add(items.size());
    return answer.future();
  }

  private void answer() {
    calls.remove().complete(Collections.nCopies(sizes.remove(0), "stored"));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Sends what it can, and never tries again. */
  private final class Unhurried implements Lane.Carrier {
    @Override
    public void later(long millis, Runnable attempt) {}

    @Override
    public void arrived() {
      changed();
    }

    @Override
    public void changed() {
      while (lane.sendable()) {
        lane.send();
      }
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void databaseError() {}
  }
}
