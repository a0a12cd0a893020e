package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.Routing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServersTest {
  private final AtomicLong now = new AtomicLong(1);

  private Servers servers(Routing routing) {
    return new Servers(
        List.of(URI.create("http://a"), URI.create("http://b"), URI.create("http://c")),
        routing,
        Duration.ofSeconds(5),
        now::get);
  }

  @Test
  void choose_takesTheNext_byRoundRobin() {
    Servers servers = servers(Routing.ROUND_ROBIN);

    assertThat(List.of(pick(servers), pick(servers), pick(servers), pick(servers)))
        .containsExactly(0, 1, 2, 0);
    assertThat(List.of(servers.home("a"), servers.home("b"), servers.home("c")))
        .as("keys do not matter")
        .containsOnly(0);
  }

  @Test
  void choose_staysWithOne_untilItFails() {
    Servers servers = servers(Routing.SESSION);
    int first = pick(servers);
    assertThat(pick(servers)).isEqualTo(first);

    servers.failed(first);
    int second = pick(servers);
    assertThat(second).isNotEqualTo(first);
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(pick(servers)).as("no way back without a reason").isEqualTo(second);
  }

  @Test
  void choose_sendsAKeyToOneServer_andBackAfterItsRest() {
    Servers servers = servers(Routing.AFFINITY);
    int home = servers.choose("orders:c-1:*", Set.of());
    assertThat(servers.home("orders:c-1:*")).isEqualTo(home);
    assertThat(servers.choose("orders:c-1:*", Set.of())).isEqualTo(home);

    servers.failed(home);
    assertThat(servers.choose("orders:c-1:*", Set.of())).isNotEqualTo(home);
    assertThat(servers.home("orders:c-1:*")).as("whatever its health").isEqualTo(home);
    now.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(servers.choose("orders:c-1:*", Set.of())).isEqualTo(home);
  }

  @Test
  void choose_takesOneThatFailed_whenAllDid() {
    Servers servers = servers(Routing.AFFINITY);
    for (int i = 0; i < 3; i++) {
      servers.failed(i);
    }

    int first = servers.choose("key", Set.of());
    assertThat(servers.choose("key", Set.of(first))).isNotEqualTo(first);
    assertThat(servers.choose("key", Set.of(0, 1, 2))).isEqualTo(first);
    assertThat(servers.hasOther(Set.of())).isFalse();
  }

  private static int pick(Servers servers) {
    return servers.choose(null, Set.of());
  }
}
