package dev.queenmq.bench.spool;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * Pushes numbered messages to a partition of its own, one request after the other, and remembers
 * what it was promised. A message that was refused, or not answered, is not sent again. For one
 * thread, and whoever looks when that has ended.
 */
final class Producer {
  private static final int MOST_ITEMS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String queue;
  private final String partition;
  private final Random random;
  private final List<Long> promised = new ArrayList<>();
  private long next;
  private int queued;
  private int buffered;
  private int refused;
  private int unanswered;

  Producer(String queue, String partition, long seed) {
    this.queue = queue;
    this.partition = partition;
    this.random = new Random(seed);
  }

  /**
   * Sends one request.
   *
   * @param onBuffered told how many of it were buffered
   * @return whether it was answered
   */
  boolean push(HttpClient client, BrokerUrl url, IntConsumer onBuffered) {
    Bodies bodies = Bodies.push();
    long first = next;
    int items = random.nextInt(1, MOST_ITEMS + 1);
    for (int i = 0; i < items; i++) {
      bodies.item(queue, partition, transactionId(next), "{\"n\":" + next + "}");
      next++;
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/push"))
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofByteArray(bodies.finish().getBytes()))
            .build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      Reply reply = new Reply(answer.statusCode(), Buffer.buffer(answer.body()));
      if (!reply.isSuccess()) {
        refused += items;
        return true;
      }
      onBuffered.accept(promised(first, Answers.push(reply)));
      return true;
    } catch (IOException e) {
      unanswered += items;
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      unanswered += items;
      return false;
    }
  }

  /** Notes what was promised; how many of it were buffered. */
  private int promised(long first, List<PushResult> results) {
    int kept = 0;
    for (int i = 0; i < results.size(); i++) {
      PushResult result = results.get(i);
      if (result.isQueued()) {
        queued++;
      } else if (result.isBuffered()) {
        kept++;
      } else {
        refused++;
        continue;
      }
      promised.add(first + i);
    }
    buffered += kept;
    return kept;
  }

  private String transactionId(long number) {
    return queue + "-" + partition + "-" + number;
  }

  String partition() {
    return partition;
  }

  /** The numbers that must come. */
  List<Long> promised() {
    return promised;
  }

  int queued() {
    return queued;
  }

  int buffered() {
    return buffered;
  }

  int refused() {
    return refused;
  }

  int unanswered() {
    return unanswered;
  }
}
