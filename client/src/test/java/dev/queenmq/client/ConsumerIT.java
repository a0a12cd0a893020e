package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.TestBroker;
import dev.queenmq.client.testing.WithClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Consumers against a real broker. */
class ConsumerIT extends WithClient {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  ConsumerIT(TestBroker broker) {
    super(broker);
  }

  @Test
  void order_isKept_whenMessagesInTheMiddleFail() {
    broker.configure(name, "{\"retryLimit\":10}");
    push(6, 40);
    Map<String, Queue<Integer>> done = new ConcurrentHashMap<>();
    Map<String, AtomicInteger> busy = new ConcurrentHashMap<>();
    AtomicInteger clashes = new AtomicInteger();
    QueenConsumer consumer =
        client
            .queue(name)
            .consumer(Integer.class)
            .concurrency(4)
            .batch(15)
            .start(
                message -> {
                  AtomicInteger here =
                      busy.computeIfAbsent(message.partition(), lane -> new AtomicInteger());
                  if (here.incrementAndGet() > 1) {
                    clashes.incrementAndGet();
                  }
                  try {
                    int number = message.payload();
                    if (number % 7 == 3 && message.attempt() < 3) {
                      throw new IllegalStateException("not yet");
                    }
                    done.computeIfAbsent(message.partition(), lane -> new ConcurrentLinkedQueue<>())
                        .add(number);
                  } finally {
                    here.decrementAndGet();
                  }
                });

    List<Integer> all = IntStream.range(0, 40).boxed().toList();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> done.size() == 6 && done.values().stream().allMatch(lane -> lane.size() >= 40));
    consumer.close();
    assertThat(done.values()).allSatisfy(lane -> assertThat(lane).containsExactlyElementsOf(all));
    assertThat(clashes).hasValue(0);
    assertThat(client.queue(name).pop(Integer.class, PopOptions.batch(1))).isEmpty();
  }

  @Test
  void fiftyLanes_areHandledFiftyAtATime() throws Exception {
    push(50, 6);
    CyclicBarrier together = new CyclicBarrier(50);
    AtomicInteger handled = new AtomicInteger();
    QueenConsumer consumer =
        client
            .queue(name)
            .consumer(Integer.class)
            .concurrency(50)
            .start(
                message -> {
                  // No handler goes on before fifty are here.
                  together.await(60, TimeUnit.SECONDS);
                  handled.incrementAndGet();
                });

    Awaitility.await().atMost(PATIENCE).until(() -> handled.get() == 300);
    assertThat(consumer.stop(PATIENCE)).isTrue();
  }

  @Test
  void leases_areRenewed_whileAHandlerWorks() {
    // Long enough that a machine that stands still for some seconds renews it in time.
    broker.configure(name, "{\"leaseTime\":8}");
    push(1, 2);
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    QueenConsumer consumer =
        client
            .queue(name)
            .consume(
                Integer.class,
                message -> {
                  seen.add(message.payload() + "/" + message.attempt());
                  if (message.payload() == 0) {
                    Thread.sleep(18_000);
                  }
                });

    Awaitility.await().atMost(PATIENCE).until(() -> seen.size() >= 2);
    assertThat(consumer.stop(PATIENCE)).isTrue();
    assertThat(seen).containsExactly("0/1", "1/1");
  }

  @Test
  void stop_inTheMiddleOfWork_leavesNothingToALeaseThatMustEndFirst() {
    int lanes = 8;
    int all = lanes * 25;
    for (int round = 1; round <= 10; round++) {
      push(lanes, 25);
      AtomicInteger handled = new AtomicInteger();
      QueenConsumer consumer =
          client
              .queue(name)
              .consumer(Integer.class)
              .concurrency(lanes)
              .batch(2)
              .start(message -> handled.incrementAndGet());
      int some = 10 * round;
      Awaitility.await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> handled.get() >= some);
      assertThat(consumer.stop(PATIENCE)).isTrue();

      // Leases last for minutes: what a cancelled pop had taken would not come.
      int rest = all - handled.get();
      while (rest > 0) {
        List<Message<Integer>> more =
            client
                .queue(name)
                .pop(Integer.class, PopOptions.batch(100).waitUpTo(Duration.ofSeconds(10)));
        assertThat(more).as("%d of round %d are missing", rest, round).isNotEmpty();
        more.forEach(Message::ack);
        rest -= more.size();
      }
    }
  }

  @Test
  void stop_finishesWhatRuns_andReleasesTheRest() throws Exception {
    push(2, 10);
    CountDownLatch working = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    QueenConsumer consumer =
        client
            .queue(name)
            .consumer(Integer.class)
            .concurrency(2)
            .start(
                message -> {
                  working.countDown();
                  goOn.await();
                });
    working.await();
    CompletableFuture<Void> stopped = consumer.stopAsync();
    assertThat(consumer.isRunning()).isFalse();
    assertThat(stopped).isNotDone();
    goOn.countDown();
    stopped.get(60, TimeUnit.SECONDS);

    List<Message<Integer>> rest =
        client.queue(name).pop(Integer.class, PopOptions.batch(100).partitions(10));
    assertThat(rest).as("free at once, without the two that were handled").hasSize(18);
    assertThat(rest).extracting(Message::payload).doesNotContain(0);
  }

  @Test
  void stop_givesUpAtTheDeadline() {
    // A handler that we interrupt is no failure of its message, which would be a dead letter here.
    broker.configure(name, "{\"retryLimit\":0}");
    push(1, 1);
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    QueenConsumer consumer =
        client
            .queue(name)
            .consume(
                Integer.class,
                message -> {
                  working.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                });
    Awaitility.await().atMost(PATIENCE).until(() -> working.getCount() == 0);

    assertThat(consumer.stop(Duration.ofMillis(50))).isFalse();
    Awaitility.await().atMost(PATIENCE).until(() -> interrupted.getCount() == 0);
    Message<Integer> again =
        client
            .queue(name)
            .pop(Integer.class, PopOptions.batch(1).waitUpTo(Duration.ofSeconds(60)))
            .get(0);
    assertThat(again.attempt()).as("released by the interrupted handler").isEqualTo(2);
  }

  @Test
  void batches_settleMessageByMessage() {
    broker.configure(name, "{\"retryLimit\":5}");
    push(1, 10);
    Queue<List<Integer>> batches = new ConcurrentLinkedQueue<>();
    QueenConsumer consumer =
        client
            .queue(name)
            .consumer(Integer.class)
            .startBatches(
                messages -> {
                  batches.add(messages.stream().map(Message::payload).toList());
                  if (messages.get(0).payload() == 0) {
                    messages.subList(0, 3).forEach(Message::ack);
                    messages.get(3).deadLetter("odd");
                    // Behind one that fails, so that it comes again with it.
                    messages.get(5).ack();
                    throw new IllegalStateException("from here on again");
                  }
                });

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> batches.stream().anyMatch(batch -> batch.get(0) == 4));
    consumer.close();
    assertThat(batches)
        .containsExactly(
            IntStream.range(0, 10).boxed().toList(), IntStream.range(4, 10).boxed().toList());
    assertThat(client.queue(name).dlq().list(10, 0).letters())
        .extracting(DeadLetter::error)
        .containsExactly("odd");
  }

  @Test
  void asyncHandlers_holdNoThread() {
    push(20, 3);
    Queue<CompletableFuture<Void>> open = new ConcurrentLinkedQueue<>();
    AtomicInteger handled = new AtomicInteger();
    QueenConsumer consumer =
        client
            .queue(name)
            .consumer(Integer.class)
            .concurrency(20)
            .startAsync(
                message -> {
                  handled.incrementAndGet();
                  CompletableFuture<Void> later = new CompletableFuture<>();
                  open.add(later);
                  return later;
                });

    Awaitility.await().atMost(PATIENCE).until(() -> open.size() == 20);
    assertThat(consumer.inFlight()).isEqualTo(20);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              open.forEach(each -> each.complete(null));
              return handled.get() == 60;
            });
    open.forEach(each -> each.complete(null));
    assertThat(consumer.stop(PATIENCE)).isTrue();
  }

  @Test
  void transaction_settlesTheMessageOfAHandler() {
    push(1, 5);
    QueueRef out = client.queue(name + "-out");
    QueenConsumer consumer =
        client
            .queue(name)
            .consume(
                Integer.class,
                message -> client.transaction().ack(message).push(out, message.payload()).commit());

    List<Integer> got = new ArrayList<>();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              List<Message<Integer>> messages = out.pop(Integer.class, PopOptions.batch(10));
              messages.forEach(message -> got.add(message.payload()));
              client.ack(messages);
              return got.size() >= 5;
            });
    assertThat(consumer.stop(PATIENCE)).isTrue();
    assertThat(got).containsExactly(0, 1, 2, 3, 4);
    assertThat(client.queue(name).pop(Integer.class, PopOptions.batch(1))).isEmpty();
  }

  @Test
  void publisher_givesWhatIsAskedFor_andTheNextOfALaneAfterTheAck() {
    push(1, 3);
    Queue<Message<Integer>> got = new ConcurrentLinkedQueue<>();
    CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    client
        .queue(name)
        .consumer(Integer.class)
        .publisher()
        .subscribe(
            new Flow.Subscriber<Message<Integer>>() {
              @Override
              public void onSubscribe(Flow.Subscription given) {
                subscription.complete(given);
              }

              @Override
              public void onNext(Message<Integer> item) {
                got.add(item);
              }

              @Override
              public void onError(Throwable failure) {
                throw new AssertionError(failure);
              }

              @Override
              public void onComplete() {}
            });
    Flow.Subscription given = subscription.join();
    given.request(2);
    Awaitility.await().atMost(PATIENCE).until(() -> got.size() == 1);
    got.element().ackAsync().join();
    Awaitility.await().atMost(PATIENCE).until(() -> got.size() == 2);
    List.copyOf(got).get(1).ackAsync().join();
    given.cancel();

    List<Message<Integer>> rest =
        client
            .queue(name)
            .pop(Integer.class, PopOptions.batch(10).waitUpTo(Duration.ofSeconds(60)));
    assertThat(rest).extracting(Message::payload).containsExactly(2);
  }

  @Test
  void aPayloadOfAnotherType_failsItsMessageOnly() {
    broker.configure(name, "{\"retryLimit\":0}");
    client.queue(name).pushAll(List.of(1, "two", 3));
    Queue<Integer> got = new ConcurrentLinkedQueue<>();
    try (QueenConsumer consumer =
        client.queue(name).consume(Integer.class, message -> got.add(message.payload()))) {
      Awaitility.await().atMost(PATIENCE).until(() -> got.size() == 2);
      assertThat(consumer.isRunning()).isTrue();
    }
    assertThat(got).containsExactly(1, 3);
    assertThat(client.queue(name).dlq().list(10, 0).letters())
        .singleElement()
        .satisfies(letter -> assertThat(letter.error()).contains("PayloadException"));
  }

  @Test
  void aGroup_startsWhereItWants_andAnotherGetsEverything() {
    push(2, 1);
    Queue<Integer> late = new ConcurrentLinkedQueue<>();
    Queue<Integer> all = new ConcurrentLinkedQueue<>();
    client.queue(name).group("late").pop(Integer.class, PopOptions.batch(1).startAt(StartAt.now()));
    try (QueenConsumer one =
            client
                .queue(name)
                .group("late")
                .consumer(Integer.class)
                .startAt(StartAt.now())
                .start(message -> late.add(message.payload()));
        QueenConsumer other =
            client
                .queue(name)
                .group("all")
                .consumer(Integer.class)
                .partitionsPerPop(1)
                .batch(1)
                .start(message -> all.add(message.payload()))) {
      client.queue(name).partition("lane-0").push(7);
      Awaitility.await().atMost(PATIENCE).until(() -> late.size() == 1 && all.size() == 3);
      assertThat(List.of(one, other)).allMatch(QueenConsumer::isRunning);
    }
    assertThat(late).containsExactly(7);
    assertThat(all).containsExactlyInAnyOrder(0, 0, 7);
  }

  @Test
  void aNamespace_isConsumedAsOne() {
    client.queue(name + ".a").push(1);
    client.queue(name + ".b").push(2);
    Queue<String> got = new ConcurrentLinkedQueue<>();
    try (QueenConsumer consumer =
        client
            .namespace(name)
            .consume(
                Integer.class, message -> got.add(message.queue() + "=" + message.payload()))) {
      Awaitility.await().atMost(PATIENCE).until(() -> got.size() == 2);
      assertThat(consumer.isRunning()).isTrue();
    }
    assertThat(got).containsExactlyInAnyOrder(name + ".a=1", name + ".b=2");
  }

  @Test
  void aHandler_mayTraceExtendAndSayWhatItWants() {
    broker.configure(name, "{\"retryLimit\":5}");
    push(1, 4);
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    try (QueenConsumer consumer =
        client
            .queue(name)
            .consume(
                Integer.class,
                message -> {
                  seen.add(message.payload() + "/" + message.attempt());
                  message.trace(TraceEvent.info(Map.of("number", message.payload()), name));
                  assertThat(message.extend(Duration.ofMinutes(9)))
                      .isAfter(java.time.Instant.now().plusSeconds(60));
                  if (message.payload() == 1 && message.attempt() == 1) {
                    message.retry();
                  } else if (message.payload() == 2 && message.attempt() < 4) {
                    message.fail("not yet");
                  } else if (message.payload() == 3) {
                    message.deadLetter("never");
                  }
                })) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> client.queue(name).dlq().list(1, 0).total() == 1);
      assertThat(consumer.isRunning()).isTrue();
    }
    assertThat(seen).startsWith("0/1", "1/1", "1/2", "2/2", "2/3", "2/4").endsWith("3/4");
    assertThat(broker.get("/api/v1/traces/by-name/" + name)).contains("\"number\":3");
  }

  /** Numbers from 0 on in each of some partitions. */
  private void push(int partitions, int each) {
    List<OutgoingMessage> messages = new ArrayList<>();
    for (int number = 0; number < each; number++) {
      for (int lane = 0; lane < partitions; lane++) {
        messages.add(OutgoingMessage.of(number).withPartition("lane-" + lane));
      }
    }
    assertThat(client.queue(name).pushAll(messages)).allMatch(PushResult::isAccepted);
  }
}
