package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerHealthTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> told = new ArrayList<>();
  private final ServerHealth health =
      new ServerHealth(
          clock,
          5000,
          new ServerHealth.Listener() {
            @Override
            public void died(String server) {
              told.add("died " + server);
            }

            @Override
            public void restarted(String server) {
              told.add("restarted " + server);
            }
          });

  @Test
  @DisplayName("Dead server detection: ~5 seconds (5 missed heartbeats)")
  void deadServerDetection_afterFiveMissedHeartbeats_andBackWithTheNext() {
    beat("A", "s1");
    clock.advance(4999);
    health.expire();
    assertThat(health.alive("A")).isTrue();
    clock.advance(1);
    assertThat(health.alive("A")).isFalse();
    health.expire();
    health.expire();
    assertThat(told).containsExactly("died A");
    assertThat(health.statistics().serversDead()).isEqualTo(1);
    beat("A", "s1");
    assertThat(health.alive("A")).isTrue();
    assertThat(health.living()).containsExactly("A");
    assertThat(told).hasSize(1);
  }

  @Test
  void newSession_isARestart_andStragglersOfTheOldOneAreNotListenedTo() {
    beat("A", "s1");
    beat("A", "s2");
    assertThat(told).containsExactly("restarted A");
    assertThat(health.heard("A", "s1")).isFalse();
    assertThat(health.heard("A", "s2")).isTrue();
    assertThat(told).hasSize(1);
    assertThat(health.statistics().restartsDetected()).isEqualTo(1);
  }

  @Test
  void goodbye_isDeathAtOnce() {
    beat("A", "s1");
    health.heartbeat("A", true);
    assertThat(health.alive("A")).isFalse();
    health.expire();
    assertThat(told).containsExactly("died A");
  }

  @Test
  void onlyHeartbeats_areASignOfLife_andTheDeadAreForgotten() {
    assertThat(health.heard("A", "s1")).isTrue();
    assertThat(health.alive("A")).isFalse();
    assertThat(health.statistics().serversTracked()).isEqualTo(1);
    clock.advance(3_600_000);
    health.expire();
    assertThat(health.statistics().serversTracked()).isZero();
    assertThat(told).isEmpty();
  }

  private void beat(String server, String session) {
    assertThat(health.heard(server, session)).isTrue();
    health.heartbeat(server, false);
  }
}
