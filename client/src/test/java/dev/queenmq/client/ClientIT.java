package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.testing.TestBroker;
import dev.queenmq.client.testing.WithClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every call but those of consumers, against a real broker. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // What a buffer does with them is looked at otherwise.
class ClientIT extends WithClient {

  record Order(int id, String item, Instant at) {}

  private static final Instant NOON = Instant.parse("2026-11-17T12:00:00Z");
  private static final PopOptions TEN = PopOptions.batch(10).waitUpTo(Duration.ofSeconds(30));

  ClientIT(TestBroker broker) {
    super(broker);
  }

  @Test
  void push_andPop_carryRecords_treesAndBytes() {
    QueueRef lane = client.queue(name).partition("c 1/ü");
    Order order = new Order(17, "tea", NOON);
    assertThat(lane.push(order).status()).isEqualTo(PushResult.Status.QUEUED);

    Message<Order> typed = lane.pop(Order.class, TEN).get(0);
    assertThat(typed.payload()).isEqualTo(order);
    assertThat(typed.queue()).isEqualTo(name);
    assertThat(typed.partition()).isEqualTo("c 1/ü");
    assertThat(typed.attempt()).isEqualTo(1);
    assertThat(typed.createdAt()).isBefore(Instant.now().plusSeconds(3600));
    assertThat(typed.lease()).isPresent();
    typed.ack();

    byte[] raw = "{\"id\": 1.0,  \"id\":2}".getBytes(StandardCharsets.UTF_8);
    lane.push(raw);
    Message<byte[]> bytes = lane.pop(byte[].class, TEN).get(0);
    assertThat(bytes.payload()).isEqualTo(raw);
    assertThat(bytes.rawPayload()).isEqualTo(raw);
    bytes.ack();

    lane.push(Map.of("a", List.of(1, 2)));
    Message<JsonNode> tree = lane.pop(JsonNode.class, TEN).get(0);
    assertThat(tree.payload().path("a").path(1).asInt()).isEqualTo(2);
    tree.retry();
    Message<Map<String, List<Integer>>> generic =
        lane.pop(new TypeReference<Map<String, List<Integer>>>() {}, TEN).get(0);
    assertThat(generic.payload()).containsEntry("a", List.of(1, 2));
    assertThat(generic.attempt()).isEqualTo(2);
    assertThatThrownBy(() -> lane.push("no json".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(PayloadException.class);
  }

  @Test
  void push_isKnownByItsTransactionId() {
    QueueRef lane = client.queue(name);
    OutgoingMessage message = OutgoingMessage.of("x");
    PushResult first = lane.push(message);
    PushResult second = lane.push(message);

    assertThat(second.status()).isEqualTo(PushResult.Status.DUPLICATE);
    assertThat(second.messageId()).isEqualTo(first.messageId());
    assertThat(lane.pop(String.class, TEN)).hasSize(1);
  }

  @Test
  void pushAll_splits_andKeepsOrder() {
    try (QueenClient small = QueenClient.builder().url(broker.url()).pushLimits(7, 500).build()) {
      List<Integer> numbers = IntStream.range(0, 100).boxed().toList();
      List<PushResult> results = small.queue(name).pushAll(numbers);

      assertThat(results).hasSize(100).allMatch(PushResult::isAccepted);
      List<Message<Integer>> got = client.queue(name).pop(Integer.class, PopOptions.batch(200));
      assertThat(got).extracting(Message::payload).isEqualTo(numbers);
      assertThat(client.ack(got)).allMatch(AckResult::success);
    }
  }

  @Test
  void push_throws_whenTheBrokerRefuses() {
    assertThatThrownBy(() -> client.queue("").push(1))
        .isInstanceOf(RejectedException.class)
        .satisfies(e -> assertThat(((RejectedException) e).status()).isEqualTo(400));
    broker.configure(name, "{\"maxSize\":1}");
    client.queue(name).push(1);
    assertThatThrownBy(
            () -> {
              // The limit is approximate; some more must be too many.
              for (int i = 0; i < 1000; i++) {
                client.queue(name).push(i);
              }
            })
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("queue full");
  }

  @Test
  void settling_doesWhatItSays() {
    broker.configure(name, "{\"retryLimit\":1}");
    QueueRef queue = client.queue(name);
    queue.pushAll(List.of("a", "b", "c"));

    List<Message<String>> first = queue.pop(String.class, TEN);
    first.get(0).ack();
    first.get(1).fail(new IllegalStateException("why not"));
    assertThatThrownBy(() -> first.get(2).ack())
        .as("it was given back with the one before it")
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> first.get(0).ack()).isInstanceOf(IllegalStateException.class);

    List<Message<String>> second = queue.pop(String.class, TEN);
    assertThat(second).extracting(Message::payload).containsExactly("b", "c");
    second.get(0).fail("again");
    second.get(1).deadLetter("no tea");

    DeadLetters.Page dead = queue.dlq().list(10, 0);
    assertThat(dead.total()).isEqualTo(2);
    assertThat(dead.letters())
        .extracting(DeadLetter::error)
        .containsExactlyInAnyOrder("again", "no tea");
    assertThat(queue.dlq().redrive()).isEqualTo(2);
    List<Message<String>> back = queue.pop(String.class, TEN);
    assertThat(back).extracting(Message::payload).containsExactlyInAnyOrder("b", "c");
    assertThat(queue.dlq().purge()).isZero();
  }

  @Test
  void everyCall_hasAFormThatDoesNotWait() {
    QueueRef in = client.queue(name + "-in");
    QueueRef out = client.queue(name + "-out");
    List<String> done =
        in.pushAsync("a")
            .thenCompose(first -> in.pushAllAsync(List.of("b", "c", "d", "e", "f")))
            .thenCompose(pushed -> in.popAsync(String.class, TEN))
            .thenCompose(
                got ->
                    got.get(0)
                        .ackAsync()
                        .thenCompose(
                            acked ->
                                client.transaction().ack(got.get(1)).push(out, "x").commitAsync())
                        .thenCompose(committed -> got.get(2).deadLetterAsync("odd"))
                        .thenCompose(dead -> got.get(3).extendAsync(Duration.ofMinutes(10)))
                        .thenCompose(extended -> client.ackAsync(got.subList(3, 4)))
                        .thenCompose(acked -> got.get(4).traceAsync(TraceEvent.info("t", name)))
                        .thenCompose(traced -> got.get(4).failAsync("later")))
            .thenCompose(failed -> in.popAsync(String.class, TEN))
            .thenCompose(
                again ->
                    again
                        .get(0)
                        .retryAsync()
                        .thenApply(back -> again.stream().map(Message::payload).toList()))
            .orTimeout(60, java.util.concurrent.TimeUnit.SECONDS)
            .join();

    assertThat(done).containsExactly("e", "f");
    assertThat(out.pop(String.class, TEN)).extracting(Message::payload).containsExactly("x");
    assertThat(in.dlq().list(10, 0).letters()).extracting(DeadLetter::error).containsExactly("odd");
  }

  @Test
  @Timeout(120)
  void callbacks_mayBlock_andMakeCallsOfTheirOwn() throws InterruptedException {
    QueueRef waited = client.queue(name + "-waited");
    QueueRef lane = client.queue(name);
    CountDownLatch entered = new CountDownLatch(3);
    CompletableFuture<Void> released = new CompletableFuture<>();
    Runnable block =
        () -> {
          entered.countDown();
          released.join();
        };
    List<CompletableFuture<?>> blocked =
        List.of(
            waited.popAsync(String.class, TEN).thenRun(block),
            lane.pushAsync("x")
                .thenAccept(pushed -> lane.partition("second").push("from a callback"))
                .thenRun(block),
            client
                .queue("#deleted-x")
                .pushAsync("x")
                .exceptionally(refused -> null)
                .thenRun(block));

    waited.push("ends the pop");
    entered.await();
    assertThat(lane.push("while callbacks block").status()).isEqualTo(PushResult.Status.QUEUED);
    assertThat(lane.partition("second").pop(String.class, TEN)).hasSize(1);
    assertThat(lane.popAsync(String.class, TEN).join()).hasSize(2);

    assertThat(blocked).noneMatch(CompletableFuture::isDone);
    released.complete(null);
    blocked.forEach(CompletableFuture::join);
  }

  @Test
  void groups_getEverything_fromTheirStart() {
    QueueRef queue = client.queue(name);
    queue.push("old");
    PopOptions fromNow = PopOptions.batch(10).startAt(StartAt.now());
    assertThat(queue.group("late").pop(String.class, fromNow)).isEmpty();
    queue.push("new");

    assertThat(queue.group("all").pop(String.class, TEN))
        .extracting(Message::payload)
        .containsExactly("old", "new");
    assertThat(queue.group("late").pop(String.class, TEN))
        .extracting(Message::payload)
        .containsExactly("new");
    assertThat(queue.group("once").pop(String.class, PopOptions.batch(1).atMostOnce()))
        .extracting(Message::lease)
        .containsExactly(java.util.Optional.empty());
    assertThat(queue.group("once").pop(String.class, PopOptions.batch(5)))
        .extracting(Message::payload)
        .containsExactly("new");
  }

  @Test
  void pop_takesSeveralPartitions_andWholeNamespaces() {
    String queue = name + ".work";
    for (String lane : List.of("a", "b", "c")) {
      client.queue(queue).partition(lane).push(lane);
    }

    assertThat(client.namespace(name).pop(String.class, PopOptions.batch(9).partitions(9)))
        .extracting(Message::payload)
        .containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void extend_keepsTheLease_untilItIsLost() {
    client.queue(name).push(1);
    Message<Integer> message = client.queue(name).pop(Integer.class, TEN).get(0);
    Instant before = message.leaseExpiresAt().orElseThrow();

    assertThat(message.extend(Duration.ofHours(2))).isAfter(before.plusSeconds(3600));
    broker.endLeases(name);
    assertThatThrownBy(() -> message.extend(Duration.ofHours(2)))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(message::ack).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void transaction_happens_orDoesNot() {
    QueueRef in = client.queue(name + "-in");
    QueueRef out = client.queue(name + "-out");
    in.push("a");
    Message<String> message = in.pop(String.class, TEN).get(0);
    client.transaction().ack(message).push(out, "b").commit();
    assertThat(out.pop(String.class, TEN)).extracting(Message::payload).containsExactly("b");
    assertThat(in.pop(String.class, PopOptions.batch(1))).isEmpty();

    in.push("c");
    Message<String> late = in.pop(String.class, TEN).get(0);
    broker.endLeases(name + "-in");
    assertThatThrownBy(() -> client.transaction().ack(late).push(out, "d").commit())
        .isInstanceOf(LeaseLostException.class);
    assertThat(out.pop(String.class, PopOptions.batch(1))).isEmpty();

    OutgoingMessage twice = OutgoingMessage.of("e");
    out.push(twice);
    assertThatThrownBy(() -> client.transaction().push(out, twice).commit())
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("duplicate key");
  }

  @Test
  void traces_areKeptWithTheMessage() {
    client.queue(name).push(1);
    Message<Integer> message = client.queue(name).pop(Integer.class, TEN).get(0);
    message.trace(TraceEvent.info(Map.of("step", 1), name));

    assertThat(broker.get("/api/v1/traces/by-name/" + name)).contains("\"step\":1");
    Message<Integer> gone =
        client.queue(name).pop(Integer.class, PopOptions.batch(1)).stream()
            .findFirst()
            .orElse(message);
    gone.trace(TraceEvent.info("x".repeat(300_000), name));
  }

  @Test
  void traceContext_travelsWithTheMessage() {
    String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    List<String> seen = new ArrayList<>();
    Tracing tracing =
        new Tracing() {
          @Override
          public @Nullable String current() {
            return traceparent;
          }

          @Override
          public Span handling(List<? extends Message<?>> messages) {
            messages.get(0).traceparent().ifPresent(seen::add);
            return new Span() {
              @Override
              public void failed(Throwable error) {
                seen.add("failed");
              }

              @Override
              public void close() {
                seen.add("closed");
              }
            };
          }
        };
    try (QueenClient traced = QueenClient.builder().url(broker.url()).tracing(tracing).build()) {
      traced.queue(name).push("x");
      CompletableFuture<String> got = new CompletableFuture<>();
      QueenConsumer consumer =
          traced.queue(name).consume(String.class, message -> got.complete(message.payload()));
      assertThat(got.join()).isEqualTo("x");
      assertThat(consumer.stop(Duration.ofMinutes(1))).isTrue();
    }
    assertThat(seen).containsExactly(traceparent, "closed");
  }

  @Test
  void interceptorsHeadersAndListeners_seeEveryRequest() {
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    ClientListener listener =
        new ClientListener() {
          @Override
          public void onAttempt(Attempt attempt) {
            seen.add(attempt.method() + " " + attempt.route() + " " + attempt.status());
          }

          @Override
          public void onPushed(String queue, PushResult.Status status, int messages) {
            seen.add(queue + " " + status);
            throw new IllegalStateException("listeners must not matter");
          }
        };
    try (QueenClient watched =
        QueenClient.builder()
            .url(broker.url())
            .header("X-Team", "tea")
            .interceptor(request -> seen.add(request.method() + " " + request.uri().getPath()))
            .interceptor(request -> request.header("X-Request", "1"))
            .listener(listener)
            .build()) {
      watched.queue(name).push(1);
    }
    assertThat(seen)
        .containsExactly(
            "POST /api/v1/push", "POST /api/v1/push 201", name + " " + PushResult.Status.QUEUED);
  }

  @Test
  void buffer_sendsInOrder_andOnClose() {
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    try (PushBuffer buffer =
        client.buffer(BufferOptions.standard().linger(Duration.ofHours(1)).limit(50, 1 << 20))) {
      for (int i = 0; i < 500; i++) {
        if (i % 50 == 0) {
          buffer.flush();
        }
        results.add(buffer.push(client.queue(name).partition("p" + i % 3), i));
      }
    }

    assertThat(results).allMatch(CompletableFuture::isDone);
    List<Message<Integer>> got =
        client.queue(name).partition("p1").pop(Integer.class, PopOptions.batch(500));
    assertThat(got)
        .extracting(Message::payload)
        .isEqualTo(IntStream.range(0, 500).filter(i -> i % 3 == 1).boxed().toList());
  }

  @Test
  void buffer_failsOnlyWhatTheBrokerRefuses() {
    PushBuffer buffer = client.buffer(BufferOptions.standard().linger(Duration.ofHours(1)));
    CompletableFuture<PushResult> good = buffer.push(client.queue(name), 1);
    CompletableFuture<PushResult> bad = buffer.push(client.queue(" "), 2);
    CompletableFuture<PushResult> alsoGood = buffer.push(client.queue(name), 3);
    buffer.flush().join();

    assertThat(good.join().isAccepted()).isTrue();
    assertThat(alsoGood.join().isAccepted()).isTrue();
    assertThatThrownBy(bad::join).hasCauseInstanceOf(RejectedException.class);
    assertThat(buffer.size()).isZero();
  }

  @Test
  void close_saysWhatABufferCouldNotSend() {
    QueenClient away =
        QueenClient.builder()
            .url("http://127.0.0.1:1")
            .retry(
                new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(5)))
            .build();
    PushBuffer buffer = away.buffer(BufferOptions.standard().limit(3, 1000).failWhenFull());
    List<OutgoingMessage> messages =
        List.of(OutgoingMessage.of(1), OutgoingMessage.of(2), OutgoingMessage.of(3));
    messages.forEach(message -> buffer.push(away.queue(name).partition("p"), message));
    assertThatThrownBy(() -> buffer.push(away.queue(name), 4))
        .isInstanceOf(BufferFullException.class);

    assertThat(away.close(Duration.ofMillis(200)))
        .extracting(UnsentMessage::message)
        .containsExactlyElementsOf(messages);
    assertThatThrownBy(() -> away.queue(name).push(1)).isInstanceOf(UnavailableException.class);
  }
}
