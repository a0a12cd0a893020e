package dev.queenmq.client.tour;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.Message;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.TestBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs what docs/client.md shows. */
@ExtendWith(BrokerExtension.class)
class TourIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void theTour_runs(TestBroker broker) throws Exception {
    Tour tour = new Tour(broker.url());
    tour.first();
    assertThat(tour.log).containsExactly("brewed 17", "brewed 18");

    try (QueenClient client = tour.cluster(broker.url(), broker.url() + "/", "a token")) {
      tour.push(client);
      assertThat(tour.log).contains("first QUEUED", "/api/v1/push 201");
      tour.buffer(client, List.of(new Tour.Order(30, "tea"), new Tour.Order(31, "")));
      assertThat(tour.log).contains("unsent 0");
      tour.pop(client);
      assertThat(tour.log).contains("acked true", "brewed 19");

      try (QueenConsumer kitchen = tour.consume(client);
          QueenConsumer archive = tour.batches(client);
          QueenConsumer billing = tour.handOver(client)) {
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () ->
                    tour.log.contains("brewed 30")
                        && client.queue("orders").group("kitchen").dlq().list(1, 0).total() == 1
                        && invoices(client) == 7
                        && tour.log.stream().anyMatch(line -> line.startsWith("archived")));
        assertThat(List.of(kitchen, archive, billing)).allMatch(QueenConsumer::isRunning);
      }
      tour.deadLetters(client);
      assertThat(tour.log).anyMatch(line -> line.endsWith("an order without an item"));
      subscribe(tour, client);
      tour.operate(client);
      assertThat(tour.log).anyMatch(line -> line.matches(".+ has \\d+ to do"));
    }

    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (QueenClient client = tour.observed(registry, OpenTelemetry.noop())) {
      client.queue("observed").push(1);
    }
    assertThat(registry.get("queen.client.pushed").tag("queue", "observed").counter().count())
        .isEqualTo(1);
  }

  @Test
  void theTourOfTheReadme_runs(TestBroker broker) throws Exception {
    ReadmeTour tour = new ReadmeTour(broker.url());
    tour.run();
    assertThat(tour.log).containsExactly("QUEUED Invoice[invoice=9001, cents=12990]", "lanes: 2");
    try (QueenClient client = broker.client()) {
      assertThat(
              client
                  .queue("java.mails")
                  .pop(JsonNode.class, dev.queenmq.client.PopOptions.batch(10)))
          .extracting(message -> message.payload().path("invoice").path("invoice").asInt())
          .containsExactlyInAnyOrder(9001, 9002);
    }
  }

  private final ConcurrentLinkedQueue<Integer> invoiced = new ConcurrentLinkedQueue<>();

  private int invoices(QueenClient client) {
    List<Message<Tour.Invoice>> messages =
        client
            .queue("invoices")
            .pop(Tour.Invoice.class, dev.queenmq.client.PopOptions.batch(100).partitions(100));
    messages.forEach(message -> invoiced.add(message.payload().order()));
    client.ack(messages);
    return invoiced.size();
  }

  private static void subscribe(Tour tour, QueenClient client) {
    ConcurrentLinkedQueue<Tour.Order> got = new ConcurrentLinkedQueue<>();
    tour.subscribe(
        client,
        new Flow.Subscriber<Message<Tour.Order>>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(Message<Tour.Order> message) {
            got.add(message.payload());
            message.ack();
          }

          @Override
          public void onError(Throwable failure) {
            throw new AssertionError(failure);
          }

          @Override
          public void onComplete() {}
        });
    Awaitility.await().atMost(PATIENCE).until(() -> got.size() == 7);
  }
}
