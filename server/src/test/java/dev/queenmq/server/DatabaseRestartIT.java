package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.RestartablePostgres;
import dev.queenmq.server.testing.RestartablePostgres.Shutdown;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is restarted while producers and consumers are at work. */
class DatabaseRestartIT {
  private static final Duration RECOVERY = Duration.ofSeconds(5);
  private static final Duration DOWN = Duration.ofMillis(700);
  private static final double SPEED = 0.8;

  @TempDir private Path folder;

  @Test
  void restart_popsWait_nothingIsLost_andTheRateIsBack() throws Exception {
    try (RestartablePostgres postgres = RestartablePostgres.start(folder);
        RunningServer server = RunningServer.on(postgres.endpoint())) {
      server.configure("q", new JsonObject().put("leaseTime", 2).put("retryLimit", 1000));
      Map<String, CompletableFuture<Answer>> waiting = new LinkedHashMap<>();
      for (int i = 0; i < 20; i++) {
        wait(server, waiting, "quiet-" + i);
      }
      try (Traffic traffic = new Traffic(server, "q").start(4, 3)) {
        Traffic.pause(Duration.ofSeconds(1));
        for (Shutdown how : Shutdown.values()) {
          double usual = traffic.rate(Duration.ofSeconds(1));
          long asked = System.nanoTime();
          postgres.stop(how);
          wait(server, waiting, "asked-while-away-" + how);
          Traffic.pause(DOWN);
          postgres.startAgain();
          Duration away = Duration.ofNanos(System.nanoTime() - asked);
          Duration back = timeUntilRate(traffic, usual * SPEED);
          System.out.printf(
              "restart, %s: away for %d ms, %.0f pushes/s before, as fast %d ms later%n",
              how, away.toMillis(), usual, back.toMillis());
          assertThat(back).isLessThan(RECOVERY);
        }
        assertThat(waiting.values()).noneMatch(CompletableFuture::isDone);
        traffic.stopProducing();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(traffic::drained);

        assertThat(traffic.seen()).isEqualTo(traffic.stored());
        assertThat(traffic.readAll("later")).isEqualTo(traffic.stored());
        assertThat(traffic.wrongs()).isEmpty();
        waiting.forEach(
            (queue, poll) -> {
              server.push(item(queue, "p", "found"));
              assertThat(poll.join().transactionIds()).containsExactly("found");
            });
      }
    }
  }

  private static void wait(
      RunningServer server, Map<String, CompletableFuture<Answer>> waiting, String queue) {
    waiting.put(queue, server.popLater(queue, "wait=true&timeout=60000"));
  }

  private static Duration timeUntilRate(Traffic traffic, double wanted) {
    long from = System.nanoTime();
    while (traffic.rate(Duration.ofMillis(200)) < wanted) {
      if (System.nanoTime() - from > 3 * RECOVERY.toNanos()) {
        break;
      }
    }
    return Duration.ofNanos(System.nanoTime() - from);
  }
}
