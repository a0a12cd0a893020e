package dev.queenmq.bench.spool;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes what is in the partitions of a queue, and holds it against what was promised. */
final class Delivery {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration GLANCE = Duration.ofMillis(50);
  private static final int BATCH = 1000;

  private final HttpClient client;
  private final BrokerUrl url;
  private final String queue;
  private int delivered;
  private int twice;
  private int disordered;
  private final List<String> lost = new ArrayList<>();

  Delivery(HttpClient client, BrokerUrl url, String queue) {
    this.client = client;
    this.url = url;
    this.queue = queue;
  }

  /** Waits until the spool is empty, then takes all and checks it. */
  void check(List<Producer> producers) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (pending() != 0 && System.nanoTime() < deadline) {
      Blocking.sleep(GLANCE);
    }
    producers.forEach(this::check);
  }

  private void check(Producer producer) {
    Set<Long> seen = new HashSet<>();
    long last = -1;
    for (long number : take(producer.partition())) {
      delivered++;
      if (!seen.add(number)) {
        twice++;
      } else if (number < last) {
        disordered++;
      }
      last = Math.max(last, number);
    }
    for (long number : producer.promised()) {
      if (!seen.contains(number)) {
        lost.add(producer.partition() + "/" + number);
      }
    }
  }

  private List<Long> take(String partition) {
    List<Long> numbers = new ArrayList<>();
    String path =
        "/api/v1/pop/queue/" + queue + "/partition/" + partition + "?autoAck=true&batch=" + BATCH;
    List<PopMessage> messages = Answers.pop(get(path));
    while (!messages.isEmpty()) {
      messages.forEach(message -> numbers.add(message.number()));
      messages = Answers.pop(get(path));
    }
    return numbers;
  }

  private long pending() {
    return get("/api/v1/status/buffers").orThrow().body().toJsonObject().getLong("pending");
  }

  private Reply get(String path) {
    try {
      HttpResponse<byte[]> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url + path)).timeout(LIMIT).build(),
              BodyHandlers.ofByteArray());
      return new Reply(answer.statusCode(), Buffer.buffer(answer.body()));
    } catch (IOException e) {
      throw new IllegalStateException(path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  int delivered() {
    return delivered;
  }

  int twice() {
    return twice;
  }

  int disordered() {
    return disordered;
  }

  List<String> lost() {
    return lost;
  }
}
