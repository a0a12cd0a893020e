package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.RestartablePostgres;
import dev.queenmq.server.testing.RestartablePostgres.Shutdown;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is restarted while producers and consumers are at work. */
class DatabaseRestartIT {
  private static final int SOME_PUSHES = 200;

  @TempDir private Path folder;

  @Test
  void restart_popsWait_nothingIsLost_andPushesGoOn() throws Exception {
    try (RestartablePostgres postgres = RestartablePostgres.start(folder);
        RunningServer server = RunningServer.on(postgres.endpoint())) {
      server.configure("q", new JsonObject().put("leaseTime", 2).put("retryLimit", 1000));
      Map<String, CompletableFuture<Answer>> waiting = new LinkedHashMap<>();
      for (int i = 0; i < 20; i++) {
        wait(server, waiting, "quiet-" + i);
      }
      try (Traffic traffic = new Traffic(server, "q").start(4, 3)) {
        traffic.awaitPushes(SOME_PUSHES);
        for (Shutdown how : Shutdown.values()) {
          postgres.stop(how);
          long refused = traffic.refusals();
          wait(server, waiting, "asked-while-away-" + how);
          Awaitility.await().until(() -> traffic.refusals() > refused);
          postgres.startAgain();
          traffic.awaitPushes(SOME_PUSHES);
        }
        assertThat(waiting.values()).noneMatch(CompletableFuture::isDone);
        traffic.stopProducing();
        Awaitility.await().until(traffic::drained);

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
    waiting.put(queue, server.popLater(queue, "wait=true&timeout=120000"));
  }
}
