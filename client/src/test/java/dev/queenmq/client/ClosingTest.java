package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.StubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages in buffers when a client with consumers is closed. */
class ClosingTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final BufferOptions UNHURRIED =
      BufferOptions.standard().linger(Duration.ofHours(1));
  private static final String POPPED =
      "{\"messages\":[{\"id\":\"i\",\"transactionId\":\"t\",\"partition\":\"p\",\"partitionId\":"
          + "\"f7b7d1f6-0000-4000-8000-000000000001\",\"leaseId\":\"l\",\"data\":1}]}";

  /** Where {@code logback-test.xml} lets the client log. */
  private static final Path LOG = Path.of("target/tests.log");

  private final Queue<String> messages = new ConcurrentLinkedQueue<>(List.of(POPPED));
  private final Queue<String> pushed = new ConcurrentLinkedQueue<>();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch popsEnd = new CountDownLatch(1);
  private final CountDownLatch handling = new CountDownLatch(1);
  private final StubServer server = new StubServer(this::answer);
  private final QueenClient client =
      QueenClient.builder()
          .url(server.url())
          .retry(new RetryPolicy(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(20)))
          .build();
  private volatile boolean storesNothing;

  ClosingTest() throws IOException {}

  @AfterEach
  void stop() {
    never.countDown();
    popsEnd.countDown();
    client.close(Duration.ZERO);
    server.close();
  }

  private StubServer.Answer answer(String method, String path, String body) throws Exception {
    if (path.equals("/api/v1/push")) {
      if (storesNothing) {
        return new StubServer.Answer(503, "{\"error\":\"away\"}");
      }
      pushed.addAll(StubServer.payloads(body));
      arrived.countDown();
      return StubServer.queued(body);
    }
    if (path.startsWith("/api/v1/ack")) {
      return new StubServer.Answer(200, "[{\"success\":true,\"leaseReleased\":true}]");
    }
    if (method.equals("DELETE")) {
      popsEnd.countDown();
      return new StubServer.Answer(200, "{\"ended\":true}");
    }
    String message = messages.poll();
    if (message != null) {
      return new StubServer.Answer(200, message);
    }
    popsEnd.await();
    return new StubServer.Answer(204, "");
  }

  private void consume(MessageHandler<Integer> handler) throws Exception {
    client
        .queue("q")
        .consume(
            Integer.class,
            message -> {
              handling.countDown();
              handler.handle(message);
            });
    assertThat(handling.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void buffersSend_whileHandlersAreStillAtWork() throws Exception {
    PushBuffer buffer = client.buffer(UNHURRIED);
    CompletableFuture<PushResult> result = buffer.push(client.queue("q"), "before");
    CompletableFuture<Boolean> sawIt = new CompletableFuture<>();
    consume(message -> sawIt.complete(arrived.await(1, TimeUnit.MINUTES)));

    assertThat(client.close(PATIENCE.multipliedBy(2))).isEmpty();

    assertThat(sawIt.join()).as("pushed before the handler has returned").isTrue();
    assertThat(result.join().isAccepted()).isTrue();
  }

  @Test
  void buffersHaveTime_evenIfHandlersTakeAllTheyGet() throws Exception {
    storesNothing = true;
    PushBuffer buffer = client.buffer(UNHURRIED);
    CompletableFuture<PushResult> result = buffer.push(client.queue("q"), "before");
    consume(
        message -> {
          while (never.getCount() > 0) {
            try {
              never.await();
            } catch (InterruptedException e) {
              // The consumer has used up its part of the deadline.
              storesNothing = false;
            }
          }
        });

    assertThat(client.close(Duration.ofSeconds(10))).isEmpty();

    assertThat(result.join().isAccepted()).isTrue();
  }

  @Test
  void messagesThatCannotBeSent_areLogged() throws Exception {
    storesNothing = true;
    List<CompletableFuture<PushResult>> results = push(171);
    int before = logged(171);
    Thread.currentThread().interrupt();

    // An interrupted close does not wait.
    client.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(logged(171)).isEqualTo(before + 1);
  }

  @Test
  void messagesThatCannotBeSent_areLogged_whenAHandlerClosesTheClient() throws Exception {
    storesNothing = true;
    List<CompletableFuture<PushResult>> results = push(173);
    int before = logged(173);

    consume(message -> assertThat(client.close(Duration.ZERO)).isEmpty());

    Awaitility.await().atMost(PATIENCE).until(() -> logged(173) == before + 1);
    assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  private List<CompletableFuture<PushResult>> push(int messages) {
    PushBuffer buffer = client.buffer(UNHURRIED);
    return IntStream.range(0, messages).mapToObj(i -> buffer.push(client.queue("q"), i)).toList();
  }

  /** How often the log reports this number of unsent messages, which no other test has. */
  private static int logged(int messages) throws IOException {
    String line = "ERROR .*: " + messages + " messages of push buffers could not be sent";
    Pattern pattern = Pattern.compile(line);
    try (Stream<String> lines = Files.lines(LOG)) {
      return (int) lines.filter(each -> pattern.matcher(each).find()).count();
    }
  }
}
