package dev.queenmq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.QueenClient;
import dev.queenmq.spring.QueenErrorHandler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listeners whose broker is away. */
class QueenListenerRegistryTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final QueenClient client = QueenClient.connect("http://127.0.0.1:1");
  private final QueenListenerRegistry registry = new QueenListenerRegistry(() -> client, PATIENCE);

  static final class Bean {
    void handle(String payload) {}
  }

  @BeforeEach
  void register() throws NoSuchMethodException {
    registry.register(listener("one", true));
    registry.register(listener("two", false));
  }

  @AfterEach
  void close() {
    registry.stop();
    client.close();
  }

  /** All threads of the client are daemons, and an application may have no others. */
  @Test
  void theJvm_staysAlive_whileAListenerRuns() throws Exception {
    assertThat(keepers()).isEmpty();

    registry.start();
    registry.start("two");
    List<Thread> keepers = keepers();
    assertThat(keepers).hasSize(1);
    assertThat(registry.stop("one")).isTrue();
    assertThat(keepers()).isEqualTo(keepers);
    assertThat(registry.stop("two")).isTrue();
    assertEnds(keepers.get(0));

    registry.start("one");
    keepers = keepers();
    assertThat(keepers).hasSize(1);
    registry.stop();
    assertEnds(keepers.get(0));
  }

  private static void assertEnds(Thread keeper) throws InterruptedException {
    keeper.join(PATIENCE.toMillis());
    assertThat(keeper.isAlive()).isFalse();
  }

  /** What keeps the JVM alive on behalf of listeners. */
  private static List<Thread> keepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("queen-") && !thread.isDaemon())
        .toList();
  }

  private static Listener listener(String id, boolean autoStartup) throws NoSuchMethodException {
    Method method = Bean.class.getDeclaredMethod("handle", String.class);
    Duration pause = Duration.ofMillis(100);
    return new Listener(
        id,
        "queue",
        null,
        new ListenerSettings(
            null, 1, 1, 1, null, Duration.ofSeconds(1), PATIENCE, pause, pause, autoStartup),
        ListenerMethod.of(new Bean(), method, method, Bean.class),
        () -> failure -> QueenErrorHandler.Decision.FAIL);
  }
}
