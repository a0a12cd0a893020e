package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.StubServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a subscriber sees of the end, at a server that has one message. */
class PublisherTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String POPPED =
      "{\"messages\":[{\"id\":\"i\",\"transactionId\":\"t\",\"partition\":\"p\",\"partitionId\":"
          + "\"f7b7d1f6-0000-4000-8000-000000000001\",\"leaseId\":\"l\",\"data\":1}]}";

  private final Queue<String> messages = new ConcurrentLinkedQueue<>(List.of(POPPED));
  private final Queue<String> acks = new ConcurrentLinkedQueue<>();
  private final CountDownLatch popping = new CountDownLatch(1);
  private final CountDownLatch popsEnd = new CountDownLatch(1);
  private final CountDownLatch handling = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final Queue<String> signals = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
  private final StubServer server = new StubServer(this::answer);
  private final QueenClient client =
      QueenClient.builder().url(server.url()).retry(RetryPolicy.none()).build();

  PublisherTest() throws IOException {}

  @BeforeEach
  void subscribe() {
    client
        .queue("q")
        .consumer(Integer.class)
        .publisher()
        .subscribe(
            new Flow.Subscriber<>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {
                subscribed.complete(subscription);
              }

              @Override
              public void onNext(Message<Integer> message) {
                signals.add("next");
                handling.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                signals.add("handled");
              }

              @Override
              public void onError(Throwable error) {
                signals.add("error");
              }

              @Override
              public void onComplete() {
                signals.add("complete");
              }
            });
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    popsEnd.countDown();
    client.close(Duration.ZERO);
    server.close();
  }

  private StubServer.Answer answer(String method, String path, String body) throws Exception {
    if (path.startsWith("/api/v1/ack")) {
      acks.add(body);
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
    popping.countDown();
    popsEnd.await();
    return new StubServer.Answer(204, "");
  }

  /**
   * They would be delivered again only after the deadline, and no other consumer could have them.
   */
  @Test
  void messagesThatNobodyAskedFor_areGivenBackAtOnce_whenTheClientIsClosed() throws Exception {
    // The pop after the one that brought the message, which is offered by now.
    assertThat(popping.await(1, TimeUnit.MINUTES)).isTrue();
    CompletableFuture<List<UnsentMessage>> closed =
        CompletableFuture.supplyAsync(() -> client.close(Duration.ofHours(1)));

    assertThat(closed.get(1, TimeUnit.MINUTES)).isEmpty();

    assertThat(acks).singleElement().asString().contains("\"retry\"");
    assertThat(signals).containsExactly("complete");
  }

  @Test
  void messagesThatNobodyAskedFor_areGivenBack_whenTheSubscriptionIsCancelled() throws Exception {
    assertThat(popping.await(1, TimeUnit.MINUTES)).isTrue();

    subscribed.join().cancel();

    Awaitility.await().atMost(PATIENCE).until(() -> !acks.isEmpty());
    assertThat(acks).singleElement().asString().contains("\"retry\"");
    assertThat(signals).isEmpty();
  }

  @Test
  void theEnd_comesAfterTheMessageThatIsBeingHandedOut() throws Exception {
    CompletableFuture<Void> asking =
        CompletableFuture.runAsync(() -> subscribed.join().request(Long.MAX_VALUE));
    assertThat(handling.await(1, TimeUnit.MINUTES)).isTrue();

    client.close(Duration.ZERO);
    goOn.countDown();

    Awaitility.await().atMost(PATIENCE).until(() -> signals.contains("complete"));
    assertThat(signals).containsExactly("next", "handled", "complete");
    asking.get(1, TimeUnit.MINUTES);
  }
}
