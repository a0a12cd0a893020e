package dev.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.QueenClient;
import dev.queenmq.server.QueenServer;
import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each example does what it says, at one broker for all of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ExamplesIT {
  /** Unpacked by the tests of that module, as a rule: to unpack them again takes seconds. */
  private static final Path BINARIES =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private QueenServer server;

  @SuppressWarnings("NullAway.Init")
  private QueenClient client;

  @BeforeAll
  void start() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createSymbolicLink(data.resolve("binaries"), Files.createDirectories(BINARIES));
    server =
        new QueenServer(
            ServerConfig.read(
                Map.of(
                    "HOST", "127.0.0.1",
                    "PORT", "0",
                    "NUM_WORKERS", "1",
                    "QUEEN_SPOOL_DEADLINE_MS", "60000",
                    "QUEEN_DATA_DIR", data.toString()),
                List.of()),
            line -> {});
    client = QueenClient.connect("http://127.0.0.1:" + await(server.start()));
  }

  @AfterAll
  void stop() {
    client.close();
    await(server.stop());
  }

  @Test
  void chat_keepsTheOrderOfEachRoom_andASlowRoomDelaysNone() throws InterruptedException {
    List<String> shown = run(new ChatRooms());

    for (String room : List.of("garden", "kitchen", ChatRooms.SLOW)) {
      assertThat(shown)
          .filteredOn(line -> line.startsWith(room))
          .containsExactly(
              room + " | ada: Is anybody here?",
              room + " | bob: I am.",
              room + " | ada: Then let us begin.",
              room + " | bob: After you.");
    }
  }

  @Test
  void orders_areShippedOnce_andInTheOrderOfTheirCustomer() throws InterruptedException {
    List<String> shown = run(new OrderPipeline());

    assertThat(shown)
        .contains("failures: 4")
        .filteredOn(line -> line.contains("shipped"))
        .hasSize(12);
    for (int customer = 0; customer < 4; customer++) {
      String name = "customer-" + customer;
      assertThat(shown)
          .filteredOn(line -> line.startsWith(name))
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, OrderPipeline.ORDERS)
                  .filter(number -> ("customer-" + number % 4).equals(name))
                  .mapToObj(number -> name + ": shipped order " + number)
                  .toList());
    }
  }

  @Test
  void theWorker_callsItsServiceNoOftenerThanItMay() throws InterruptedException {
    long begun = System.nanoTime();
    List<String> shown = run(new RateLimitedWorker());
    long calls = shown.stream().filter(line -> line.startsWith("call ")).count();

    assertThat(shown)
        .filteredOn(line -> line.contains(": mail "))
        .hasSize(RateLimitedWorker.MESSAGES);
    assertThat(shown).anyMatch(line -> line.endsWith("429 too many requests"));
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(RateLimitedWorker.INTERVAL.multipliedBy(calls - 1));
  }

  @Test
  void thePace_letsOneThroughInEachInterval() throws InterruptedException {
    RateLimitedWorker.Pace pace = new RateLimitedWorker.Pace(Duration.ofMillis(3));
    long begun = System.nanoTime();
    for (int i = 0; i < 5; i++) {
      pace.await();
    }
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(12_000_000);
  }

  @Test
  void theGroup_readsEverythingAgain() throws InterruptedException {
    assertThat(run(new Replay()))
        .containsExactly("first report: 700 cents", "corrected report: 1180 cents");
  }

  private List<String> run(Example example) throws InterruptedException {
    ConcurrentLinkedQueue<String> shown = new ConcurrentLinkedQueue<>();
    example.run(client, shown::add);
    return new ArrayList<>(shown);
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(3, TimeUnit.MINUTES).join();
  }
}
