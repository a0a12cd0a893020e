package dev.queenmq.client.tour;

import dev.queenmq.client.AckResult;
import dev.queenmq.client.BufferOptions;
import dev.queenmq.client.ClientListener;
import dev.queenmq.client.DeadLetter;
import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.PushBuffer;
import dev.queenmq.client.PushResult;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.Routing;
import dev.queenmq.client.StartAt;
import dev.queenmq.client.TraceEvent;
import dev.queenmq.client.UnsentMessage;
import dev.queenmq.client.admin.groups.SeekTarget;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.client.admin.queues.QueueSummary;
import dev.queenmq.client.micrometer.QueenMetrics;
import dev.queenmq.client.opentelemetry.QueenTracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;

/** The code of docs/client.md. {@link ClientPageTest} holds the two together. */
final class Tour {
  final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final String url;

  Tour(String url) {
    this.url = url;
  }

  record Order(int id, String item) {}

  record Invoice(int order) {}

  private void brew(Order order) {
    log.add("brewed " + order.id());
  }

  void first() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);

    try (QueenClient client = QueenClient.connect(url)) {
      client.queue("orders").partition("customer-81").push(new Order(17, "tea"));
      client.queue("orders").partition("customer-81").push(new Order(18, "cake"));

      QueenConsumer consumer =
          client
              .queue("orders")
              .consume(
                  Order.class,
                  message -> {
                    brew(message.payload());
                    done.countDown();
                  });

      done.await();
      consumer.close();
    }
  }

  void push(QueenClient client) {
    PushResult result =
        client
            .queue("orders")
            .partition("customer-81")
            .push(OutgoingMessage.of(new Order(19, "tea")).withTransactionId("order-19"));
    log.add("first " + result.status());

    List<PushResult> results =
        client
            .queue("orders")
            .pushAll(
                List.of(
                    OutgoingMessage.of(new Order(20, "tea")).withPartition("customer-81"),
                    OutgoingMessage.of(new Order(21, "tea")).withPartition("customer-90")));
    results.forEach(PushResult::orThrow);
  }

  void buffer(QueenClient client, List<Order> orders) {
    PushBuffer buffer =
        client.buffer(
            BufferOptions.standard()
                .limit(50_000, 32 << 20)
                .linger(Duration.ofMillis(20))
                .blockWhenFull(Duration.ofSeconds(10)));
    for (Order order : orders) {
      CompletableFuture<PushResult> result =
          buffer.push(client.queue("orders").partition("customer-" + order.id()), order);
      result.exceptionally(
          error -> {
            log.add("refused: " + error);
            return null;
          });
    }
    List<UnsentMessage> unsent = buffer.close(Duration.ofSeconds(10));
    log.add("unsent " + unsent.size());
  }

  void pop(QueenClient client) {
    List<Message<Order>> messages =
        client
            .queue("orders")
            .pop(Order.class, PopOptions.batch(10).partitions(5).waitUpTo(Duration.ofSeconds(20)));
    for (Message<Order> message : messages) {
      message.trace(TraceEvent.info(Map.of("step", "brewing"), "order-" + message.payload().id()));
      brew(message.payload());
    }
    List<AckResult> acks = client.ack(messages);
    log.add("acked " + acks.stream().allMatch(AckResult::success));
  }

  QueenConsumer consume(QueenClient client) {
    QueenConsumer consumer =
        client
            .queue("orders")
            .group("kitchen")
            .consumer(Order.class)
            .concurrency(50)
            .batch(100)
            .partitionsPerPop(20)
            .startAt(StartAt.oldest())
            .start(
                message -> {
                  if (message.payload().item().isEmpty()) {
                    message.deadLetter("an order without an item");
                    return;
                  }
                  brew(message.payload());
                });
    return consumer;
  }

  QueenConsumer batches(QueenClient client) {
    return client
        .queue("orders")
        .group("archive")
        .consumer(Order.class)
        .startBatches(
            messages -> {
              List<Order> orders = messages.stream().map(Message::payload).toList();
              log.add("archived " + orders.size());
            });
  }

  QueenConsumer handOver(QueenClient client) {
    return client
        .queue("orders")
        .group("billing")
        .consume(
            Order.class,
            message ->
                client
                    .transaction()
                    .ack(message)
                    .push(
                        client.queue("invoices").partition(message.partition()),
                        new Invoice(message.payload().id()))
                    .commit());
  }

  void subscribe(QueenClient client, Flow.Subscriber<Message<Order>> subscriber) {
    Flow.Publisher<Message<Order>> orders =
        client.queue("orders").group("stream").consumer(Order.class).publisher();
    orders.subscribe(subscriber);
  }

  void deadLetters(QueenClient client) {
    for (DeadLetter letter : client.queue("orders").group("kitchen").dlq().list(100, 0).letters()) {
      log.add("dead " + letter.transactionId() + ": " + letter.error());
    }
    client.queue("orders").group("kitchen").dlq().redrive();
  }

  QueenClient cluster(String one, String other, String token) {
    return QueenClient.builder()
        .urls(List.of(one, other))
        .routing(Routing.AFFINITY)
        .retry(
            new RetryPolicy(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(3)))
        .requestTimeout(Duration.ofSeconds(10))
        .token(() -> token)
        .header("X-Team", "kitchen")
        .listener(
            new ClientListener() {
              @Override
              public void onAttempt(Attempt attempt) {
                log.add(attempt.route() + " " + attempt.status());
              }
            })
        .build();
  }

  void operate(QueenClient client) {
    client
        .admin()
        .queues()
        .configure("orders", QueueOptions.builder().leaseTime(120).retryLimit(5).build());
    client.admin().groups().seek("kitchen", "orders", SeekTarget.beginning());
    for (QueueSummary queue : client.admin().queues().list().items()) {
      log.add(queue.name() + " has " + queue.messages().pending() + " to do");
    }
  }

  QueenClient observed(MeterRegistry registry, OpenTelemetry openTelemetry) {
    return QueenClient.builder()
        .url(url)
        .listener(new QueenMetrics(registry))
        .tracing(new QueenTracing(openTelemetry))
        .build();
  }
}
