package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long it takes until a poll that waits at B is answered, from the moment at which that was
 * sent elsewhere which ends its wait. All acks go to C. Blocks; for one thread.
 */
final class RemoteWakes implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
  private static final Duration ANSWER_LIMIT = LONGEST_WAIT.plusSeconds(10);
  private static final String QUERY = "batch=1&wait=true&timeout=" + LONGEST_WAIT.toMillis();
  private static final int SHORTEST_PAUSE = 50;
  private static final int LONGEST_PAUSE = 150;
  private static final String PARTITION = "p";

  private final BrokerClient a;
  private final BrokerClient b;
  private final BrokerClient c;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<String> wrongs = new ArrayList<>();
  private long number;

  /** What ends the wait. */
  enum Cause {
    /** A push of a message at broker A. */
    PUSH("a push"),

    /** At C, of the message that a consumer at A holds; there is one more behind it. */
    ACK("an ack that frees the partition");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** The event as a text to read. */
    String text() {
      return text;
    }
  }

  RemoteWakes(Cluster cluster, EventLoop loop) {
    a = new BrokerClient(loop.vertx(), cluster.urls().get(0), 1);
    b = new BrokerClient(loop.vertx(), cluster.urls().get(1), 1);
    c = new BrokerClient(loop.vertx(), cluster.urls().get(2), 1);
  }

  /** Adds the nanoseconds of this many. */
  void run(Cause cause, int count, Histogram nanos) {
    String queue = "wakes-by-" + cause;
    for (int i = 0; i < count; i++) {
      nanos.recordValue(cause == Cause.PUSH ? byPush(queue) : byAck(queue));
    }
  }

  /** What no broker may do, for people. */
  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  private long byPush(String queue) {
    Future<Woken> poll = poll(queue);
    pause();
    long sent = System.nanoTime();
    push(queue, 1);
    return end(poll, sent);
  }

  private long byAck(String queue) {
    push(queue, 2);
    List<PopMessage> held = Blocking.get(pop(a, queue));
    if (held.isEmpty()) {
      wrongs.add("a pop at A found nothing of two messages, " + queue);
    }
    Future<Woken> poll = poll(queue);
    pause();
    if (poll.isComplete()) {
      wrongs.add("a poll at B was answered while the partition was leased, " + queue);
    }
    long sent = System.nanoTime();
    ack(held);
    return end(poll, sent);
  }

  /** The messages of a poll and when they came. */
  private record Woken(List<PopMessage> messages, long at) {}

  private Future<Woken> poll(String queue) {
    return pop(b, queue).map(messages -> new Woken(messages, System.nanoTime()));
  }

  private long end(Future<Woken> poll, long sent) {
    Woken woken = Blocking.get(poll);
    if (woken.messages().isEmpty()) {
      wrongs.add("a poll at B ended without a message that was there");
    }
    ack(woken.messages());
    return Math.max(0, woken.at() - sent);
  }

  private void pause() {
    Blocking.sleep(Duration.ofMillis(random.nextInt(SHORTEST_PAUSE, LONGEST_PAUSE)));
  }

  private static Future<List<PopMessage>> pop(BrokerClient client, String queue) {
    return client.pop(queue, QUERY).timeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void push(String queue, int messages) {
    Bodies body = Bodies.push();
    for (int i = 0; i < messages; i++) {
      number++;
      body.item(queue, PARTITION, queue + "-" + number, PopMessage.payload(number));
    }
    Blocking.get(a.push(body).map(Reply::orThrow));
  }

  private void ack(List<PopMessage> messages) {
    Blocking.get(
        c.ack("", messages)
            .otherwise(
                refused -> {
                  wrongs.add("an ack at C was refused: " + refused.getMessage());
                  return 0;
                }));
  }

  @Override
  public void close() {
    Blocking.get(Future.join(a.close(), b.close(), c.close()));
  }
}
