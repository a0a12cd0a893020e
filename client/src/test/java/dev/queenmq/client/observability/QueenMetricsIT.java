package dev.queenmq.client.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.micrometer.QueenMetrics;
import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class QueenMetricsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String name = "metrics-" + UUID.randomUUID();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void everythingIsCounted(TestBroker broker) throws Exception {
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client =
            QueenClient.builder()
                .url(line.url())
                .retry(new RetryPolicy(PATIENCE, Duration.ofMillis(5), Duration.ofMillis(20)))
                .listener(new QueenMetrics(registry, Tags.of("client", "kitchen")))
                .build()) {
      QueueRef queue = client.queue(name);
      OutgoingMessage first = OutgoingMessage.of(1);
      queue.pushAll(List.of(first, 2, 3));
      queue.push(first);
      assertThat(counter("queen.client.pushed", "status", "queued")).isEqualTo(3);
      assertThat(counter("queen.client.pushed", "status", "duplicate")).isEqualTo(1);
      assertThat(
              registry
                  .get("queen.client.requests")
                  .tags("client", "kitchen", "route", "/api/v1/push", "status", "201")
                  .tags("method", "POST", "outcome", "success", "broker", line.url().substring(7))
                  .timer()
                  .count())
          .isEqualTo(2);

      try (QueenConsumer consumer =
          queue
              .group("g")
              .consumer(Integer.class)
              .backOff(Duration.ofMillis(5), Duration.ofMillis(20))
              .start(
                  message -> {
                    if (message.payload() == 2 && message.attempt() == 1) {
                      throw new IllegalStateException("not yet");
                    }
                  })) {
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> handled("success") == 3 && handled("error") == 1);
        assertThat(counter("queen.client.received", "group", "g")).isGreaterThanOrEqualTo(3);
        assertThat(
                registry
                    .get("queen.client.handler")
                    .tags("queue", name, "group", "g", "outcome", "error")
                    .timer()
                    .count())
            .isEqualTo(1);

        line.set(FaultProxy.Fault.CLOSED);
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () ->
                    registry.find("queen.client.consumer.errors").tags("queue", name).counter()
                        != null);
        assertThat(counter("queen.client.consumer.errors", "error", "UnavailableException"))
            .isPositive();
        line.set(FaultProxy.Fault.NONE);
        assertThat(consumer.isRunning()).isTrue();
      }
      line.set(FaultProxy.Fault.CLOSED);
      var push = queue.pushAsync(4);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  registry.find("queen.client.retries").tags("route", "/api/v1/push").counter()
                      != null);
      line.set(FaultProxy.Fault.NONE);
      assertThat(push).succeedsWithin(PATIENCE);
      assertThat(registry.get("queen.client.requests").tags("status", "none").timer().count())
          .isPositive();
    }
  }

  private double handled(String outcome) {
    return registry.find("queen.client.handled").tags("queue", name, "outcome", outcome).counter()
            == null
        ? 0
        : counter("queen.client.handled", "outcome", outcome);
  }

  private double counter(String meter, String tag, String value) {
    return registry.get(meter).tags("queue", name, tag, value).counter().count();
  }
}
