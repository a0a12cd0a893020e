package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which of several brokers requests go to: lines to one broker stand for brokers of a cluster. */
@ExtendWith(BrokerExtension.class)
class RoutingIT {
  private final String name = "routing-" + UUID.randomUUID();
  private final ConcurrentLinkedQueue<String> chosen = new ConcurrentLinkedQueue<>();

  @Test
  void roundRobin_takesTheNext(TestBroker broker) throws Exception {
    try (FaultProxy one = new FaultProxy(broker.port());
        FaultProxy other = new FaultProxy(broker.port());
        QueenClient client = client(Routing.ROUND_ROBIN, one, other)) {
      push(client, "p", "p", "p", "p");
      assertThat(chosen).containsExactly(one.url(), other.url(), one.url(), other.url());
    }
  }

  @Test
  void session_staysWithOne_untilItFails(TestBroker broker) throws Exception {
    try (FaultProxy one = new FaultProxy(broker.port());
        FaultProxy other = new FaultProxy(broker.port());
        QueenClient client = client(Routing.SESSION, one, other)) {
      push(client, "p", "q");
      assertThat(chosen).containsOnly(one.url());
      one.set(FaultProxy.Fault.CLOSED);
      push(client, "r");
      chosen.clear();
      one.set(FaultProxy.Fault.NONE);
      push(client, "p", "q");
      assertThat(chosen).containsOnly(other.url());
    }
  }

  @Test
  void affinity_staysWithOneForEachPartition_andSpreadsThem(TestBroker broker) throws Exception {
    try (FaultProxy one = new FaultProxy(broker.port());
        FaultProxy other = new FaultProxy(broker.port());
        QueenClient client = client(Routing.AFFINITY, one, other)) {
      List<String> partitions = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        partitions.add("p" + i);
      }
      String[] all = partitions.toArray(String[]::new);
      push(client, all);
      List<String> first = List.copyOf(chosen);
      chosen.clear();
      push(client, all);

      assertThat(chosen).containsExactlyElementsOf(first);
      assertThat(Set.copyOf(first)).containsExactlyInAnyOrder(one.url(), other.url());
    }
  }

  private QueenClient client(Routing routing, FaultProxy... lines) {
    QueenClient.Builder builder =
        QueenClient.builder()
            .routing(routing)
            .restAfterFailure(Duration.ofHours(1))
            .listener(
                new ClientListener() {
                  @Override
                  public void onAttempt(Attempt attempt) {
                    chosen.add(attempt.server().toString());
                  }
                });
    for (FaultProxy line : lines) {
      builder.url(line.url());
    }
    return builder.build();
  }

  private void push(QueenClient client, String... partitions) {
    for (String partition : partitions) {
      client.queue(name).partition(partition).push(1);
    }
  }
}
