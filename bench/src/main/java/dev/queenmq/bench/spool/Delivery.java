package dev.queenmq.bench.spool;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes what is in the partitions of a queue, and holds it against what was promised. */
final class Delivery {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final String QUERY = "autoAck=true&batch=1000";

  int delivered;
  int twice;
  int disordered;
  final List<String> lost = new ArrayList<>();
  private final BlockingClient client;
  private final String queue;

  Delivery(BlockingClient client, String queue) {
    this.client = client;
    this.queue = queue;
  }

  /** Waits until the spool is empty, then takes all and checks it. */
  void check(List<Producer> producers) {
    Blocking.await(LIMIT, POLL_INTERVAL, () -> pending() == 0);
    producers.forEach(this::check);
  }

  private void check(Producer producer) {
    Set<Long> seen = new HashSet<>();
    long last = -1;
    for (PopMessage message : take(producer.partition)) {
      delivered++;
      if (!seen.add(message.number())) {
        twice++;
      } else if (message.number() < last) {
        disordered++;
      }
      last = Math.max(last, message.number());
    }
    producer.promised.stream()
        .filter(number -> !seen.contains(number))
        .forEach(number -> lost.add(producer.partition + "/" + number));
  }

  private List<PopMessage> take(String partition) {
    String path = BrokerClient.popPath(queue) + "/partition/" + partition + "?" + QUERY;
    List<PopMessage> all = new ArrayList<>();
    List<PopMessage> some = Answers.pop(get(path));
    while (!some.isEmpty()) {
      all.addAll(some);
      some = Answers.pop(get(path));
    }
    return all;
  }

  private long pending() {
    return get("/api/v1/status/buffers").orThrow().body().toJsonObject().getLong("pending");
  }

  private Reply get(String path) {
    return client.get(path).orElseThrow(() -> new IllegalStateException("no answer to " + path));
  }
}
