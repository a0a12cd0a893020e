package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.ChildBroker;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import dev.queenmq.client.testing.TestPostgres;
import dev.queenmq.client.testing.TestTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What befalls a line between client and broker: no message is lost, none is acked that was not
 * handled, order is kept, and no consumer dies.
 */
@ExtendWith(BrokerExtension.class)
class FaultsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int LANES = 6;
  private static final int EACH = 20;

  /** Short leases, because those of lost answers must run out; and no dead letters for it. */
  private static final String OPTIONS = "{\"leaseTime\":2,\"retryLimit\":1000}";

  private final String name = "faults-" + UUID.randomUUID();

  @ParameterizedTest
  @EnumSource(
      value = FaultProxy.Fault.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE"})
  void everyMessageIsHandledInOrder(FaultProxy.Fault fault, TestBroker broker) throws Exception {
    String queue = name + fault;
    broker.configure(queue, OPTIONS);
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client = impatient(line.url())) {
      Traffic traffic = new Traffic(client, queue);
      traffic.awaitHandled(LANES);
      int before = line.hits();
      line.set(fault);
      Awaitility.await().atMost(PATIENCE).until(() -> line.hits() >= before + 3);
      line.set(FaultProxy.Fault.NONE);
      if (fault == FaultProxy.Fault.SILENT) {
        line.cut();
      }
      traffic.finish();
    }
  }

  @Test
  void aBrokerThatIsKilledAndStartedAgain_losesNothing(TestBroker broker, TestPostgres postgres)
      throws Exception {
    broker.configure(name, OPTIONS);
    ChildBroker first = ChildBroker.start(postgres.environment("killed", Map.of()));
    try (FaultProxy line = new FaultProxy(first.port());
        QueenClient client = impatient(line.url())) {
      Traffic traffic = new Traffic(client, name);
      traffic.awaitHandled(LANES);
      first.close();
      line.cut();
      // The one in this JVM stands for the restarted one: it has the same database.
      line.retarget(broker.port());
      traffic.finish();
    } finally {
      first.close();
    }
  }

  @Test
  void requestsGoElsewhere_whenABrokerIsAway(TestBroker broker) {
    for (Routing routing : Routing.values()) {
      try (QueenClient client =
          QueenClient.builder()
              .url("http://127.0.0.1:1")
              .url(broker.url())
              .routing(routing)
              .retry(
                  new RetryPolicy(
                      Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(9)))
              .restAfterFailure(Duration.ofSeconds(5))
              .build()) {
        QueueRef queue = client.queue(name + routing);
        for (int i = 0; i < 20; i++) {
          queue.partition("lane-" + i).push(i);
        }
        AtomicInteger handled = new AtomicInteger();
        try (QueenConsumer consumer =
            queue.consume(Integer.class, message -> handled.incrementAndGet())) {
          Awaitility.await()
              .atMost(PATIENCE)
              .untilAsserted(() -> assertThat(handled).hasValueGreaterThanOrEqualTo(20));
          assertThat(consumer.isRunning()).isTrue();
        }
      }
    }
  }

  @Test
  void tokensThatExpire_areRenewed(TestPostgres postgres) throws Exception {
    TestTokens tokens = new TestTokens();
    try (TestBroker broker =
            TestBroker.start(postgres.environment("tokens", tokens.environment()));
        QueenClient client =
            QueenClient.builder()
                .url(broker.url())
                .token(() -> tokens.valid(Duration.ofSeconds(4)))
                .build()) {
      Traffic traffic = new Traffic(client, name);
      traffic.awaitHandled(LANES);
      int asked = tokens.made();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> {
                client.queue(name + "-other").push(1);
                return tokens.made() > asked + 1;
              });
      traffic.finish();
    }
  }

  @Test
  void aTokenThatIsNeverAccepted_isSaidToBe(TestPostgres postgres) {
    TestTokens tokens = new TestTokens();
    try (TestBroker broker =
            TestBroker.start(postgres.environment("no-tokens", tokens.environment()));
        QueenClient client =
            QueenClient.builder()
                .url(broker.url())
                .token(() -> tokens.valid(Duration.ofMinutes(-1)))
                .build()) {
      assertThat(client.queue(name).pushAsync(1))
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(UnauthorizedException.class);
      assertThat(tokens.made()).isEqualTo(2);
    }
  }

  @Test
  void cancelledPolls_leaveTheBrokerAlone(TestBroker broker) {
    try (QueenClient client = broker.client()) {
      CompletableFuture<List<Message<Integer>>> poll =
          client
              .queue(name)
              .popAsync(Integer.class, PopOptions.batch(1).waitUpTo(Duration.ofSeconds(100)));
      QueenConsumer consumer = client.queue(name).consume(Integer.class, message -> {});
      assertThat(poll).isNotDone();
      assertThat(consumer.stop(PATIENCE)).isTrue();
    }
    // Its own queue, so that pops of other tests do not count.
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (QueenClient other = broker.client()) {
                other.queue(name).push(1);
                List<Message<Integer>> got =
                    other.queue(name).pop(Integer.class, PopOptions.batch(10));
                other.ack(got);
                return !got.isEmpty();
              }
            });
  }

  /** Messages in an answer that is not read come again only when their lease ends, in minutes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void stop_onASlowLine_readsWhatIsOnItsWay(int lostRequests, TestBroker broker) throws Exception {
    int lanes = 8;
    Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient slow =
            QueenClient.builder()
                .url(line.url())
                .interceptor(
                    request -> {
                      // Requests to end a pop: the first of them never arrive.
                      if (request.method().equals("DELETE")
                          && asked
                                  .computeIfAbsent(
                                      request.uri().getPath(), pop -> new AtomicInteger())
                                  .incrementAndGet()
                              <= lostRequests) {
                        throw new UnavailableException("lost", true, null);
                      }
                    })
                .build();
        QueenClient client = broker.client()) {
      for (int i = 0; i < lanes; i++) {
        client.queue(name).partition("lane-" + i).pushAll(IntStream.range(0, 10).boxed().toList());
      }
      AtomicInteger handled = new AtomicInteger();
      line.set(FaultProxy.Fault.LATE);
      QueenConsumer consumer =
          slow.queue(name)
              .consumer(Integer.class)
              .concurrency(lanes)
              .batch(2)
              .start(message -> handled.incrementAndGet());
      Awaitility.await().atMost(PATIENCE).until(() -> handled.get() >= 4);
      assertThat(consumer.stop(PATIENCE)).isTrue();

      assertThatAreFree(client, lanes * 10 - handled.get());
    }
  }

  /** It takes seconds to arrive; no pop waits any more at the broker then. */
  @Test
  void stop_whileALargeAnswerArrives_readsIt(TestBroker broker) throws Exception {
    int count = 10;
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient slow = QueenClient.connect(line.url());
        QueenClient client = broker.client()) {
      client.queue(name).pushAll(Collections.nCopies(count, "x".repeat(100_000)));
      AtomicInteger handled = new AtomicInteger();
      line.set(FaultProxy.Fault.SLOW);
      QueenConsumer consumer =
          slow.queue(name)
              .consumer(String.class)
              .batch(count)
              .start(message -> handled.incrementAndGet());
      Awaitility.await().atMost(PATIENCE).until(() -> line.hits() >= 5);
      assertThat(consumer.stop(PATIENCE)).isTrue();

      assertThatAreFree(client, count - handled.get());
    }
  }

  private void assertThatAreFree(QueenClient client, int count) {
    int rest = count;
    while (rest > 0) {
      List<Message<JsonNode>> more =
          client
              .queue(name)
              .pop(JsonNode.class, PopOptions.batch(100).waitUpTo(Duration.ofSeconds(10)));
      assertThat(more).as("%d are missing", rest).isNotEmpty();
      client.ack(more);
      rest -= more.size();
    }
  }

  private static QueenClient impatient(String url) {
    return QueenClient.builder()
        .url(url)
        .requestTimeout(Duration.ofSeconds(2))
        .connectTimeout(Duration.ofSeconds(2))
        .retry(new RetryPolicy(PATIENCE, Duration.ofMillis(20), Duration.ofMillis(500)))
        .build();
  }

  /** A producer and a consumer at work. */
  private static final class Traffic {
    private final QueenClient client;
    private final String queue;
    private final Map<String, Queue<Integer>> handled = new ConcurrentHashMap<>();
    private final QueenConsumer consumer;
    private final CompletableFuture<Void> pushed;

    Traffic(QueenClient client, String queue) {
      this.client = client;
      this.queue = queue;
      consumer =
          client
              .queue(queue)
              .consumer(Integer.class)
              .concurrency(3)
              .batch(10)
              .longPoll(Duration.ofSeconds(2))
              .backOff(Duration.ofMillis(20), Duration.ofMillis(500))
              .start(
                  message ->
                      handled
                          .computeIfAbsent(
                              message.partition(), lane -> new ConcurrentLinkedQueue<>())
                          .add(message.payload()));
      pushed = CompletableFuture.runAsync(this::push);
    }

    private void push() {
      for (int number = 0; number < EACH; number++) {
        for (int lane = 0; lane < LANES; lane++) {
          assertThat(client.queue(queue).partition("lane-" + lane).push(number).isAccepted())
              .isTrue();
        }
      }
    }

    void awaitHandled(int count) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> handled.values().stream().mapToInt(Queue::size).sum() >= count);
    }

    void finish() throws IOException {
      pushed.join();
      assertThat(consumer.isRunning()).isTrue();
      List<Integer> all = IntStream.range(0, EACH).boxed().toList();
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(handled).hasSize(LANES);
                assertThat(handled.values())
                    .allSatisfy(lane -> assertThat(firstTimes(lane)).isEqualTo(all));
              });
      assertThat(consumer.stop(PATIENCE)).isTrue();
      // Short leases of lost answers first.
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> client.queue(queue).pop(Integer.class, PopOptions.batch(1)).isEmpty());
      assertThat(client.queue(queue).dlq().list(1, 0).total()).isZero();
    }

    /** A message may come twice; in the order of first times nothing is missing. */
    private static List<Integer> firstTimes(Queue<Integer> lane) {
      return lane.stream().distinct().toList();
    }
  }
}
