package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.SidecarFigures.Distribution;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Latencies as the dashboard shows them. */
class BrokerViewTest {
  private static final List<Long> BOUNDS = List.of(1_000L, 5_000L, 20_000L);

  @Test
  void bound_isTheFirstThatCoversTheShare_inMilliseconds() {
    Distribution values = new Distribution(BOUNDS, List.of(50L, 98L, 99L, 100L), 0);

    assertThat(BrokerView.bound(values, 0.5)).contains(1.0);
    assertThat(BrokerView.bound(values, 0.98)).contains(5.0);
    assertThat(BrokerView.bound(values, 0.99)).contains(20.0);
  }

  @Test
  void bound_beyondTheLast_isTheLast() {
    assertThat(BrokerView.bound(new Distribution(BOUNDS, List.of(0L, 0L, 0L, 7L), 0), 0.5))
        .contains(20.0);
  }

  @Test
  void bound_ofNothing_isNothing() {
    assertThat(BrokerView.bound(new Distribution(BOUNDS, List.of(0L, 0L, 0L, 0L), 0), 0.5))
        .isEmpty();
  }
}
