package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random worlds in virtual time. {@code -Dqueen.room.events=N} runs N events, {@code
 * -Dqueen.room.seed=S} begins with the world of that seed.
 */
class WaitingRoomTest {
  private static final long EVENTS = Long.getLong("queen.room.events", 1_000_000);
  private static final long EVENTS_OF_A_WORLD = 10_000;

  @Test
  void room_keepsItsPromises() {
    long seed = Long.getLong("queen.room.seed", System.nanoTime());
    System.out.printf("waiting room: %d events, first seed %d%n", EVENTS, seed);
    long events = 0;
    int worlds = 0;
    long claims = 0;
    long handedOver = 0;
    while (events < EVENTS) {
      ModelWorld world = new ModelWorld(seed);
      List<String> wrongs;
      try {
        wrongs = world.run(EVENTS_OF_A_WORLD);
      } catch (RuntimeException e) {
        throw new AssertionError("-Dqueen.room.seed=" + seed + " " + world.manner(), e);
      }
      assertThat(wrongs).as("-Dqueen.room.seed=%d %s", seed, world.manner()).isEmpty();
      events += world.counted();
      worlds++;
      claims += world.claims();
      handedOver += world.handedOver();
      seed++;
    }
    System.out.printf(
        "waiting room: %d events in %d worlds, %d polls claimed by pushes, %d of them served%n",
        events, worlds, claims, handedOver);
    assertThat(handedOver).isPositive();
  }
}
