package dev.queenmq.bench.overload;

import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Clients that ignore back-pressure: each sends its next request as soon as it has an answer, also
 * a rejection. They push one message or a thousand, or pop and acknowledge.
 */
final class Flood implements AutoCloseable {
  private static final int LARGE = 1000;
  private static final int KINDS = 10;
  private static final int QUEUES = 4;
  private static final int PARTITIONS = 50;
  private static final int PIPELINED = 4;
  private static final String GROUP = "flood";
  private static final String POP =
      BrokerClient.popPath(queue(0)) + "?consumerGroup=" + GROUP + "&batch=100";

  private final EventLoop loop = new EventLoop();
  private final BrokerClient client;
  private final LongAdder served = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();
  private final Histogram millis = new ConcurrentHistogram(3);
  private final Meter rounds = new Meter();
  private final ClosedLoop clients = new ClosedLoop(rounds);

  /** Starts this many, four to a connection. */
  Flood(BrokerUrl url, int count) {
    client = new BrokerClient(loop.vertx(), url, count / PIPELINED, PIPELINED);
    List<Buffer> small = IntStream.range(0, QUEUES * PARTITIONS).mapToObj(i -> body(1, i)).toList();
    List<Buffer> large = IntStream.range(0, QUEUES * 2).mapToObj(i -> body(LARGE, i)).toList();
    for (int i = 0; i < count; i++) {
      Buffer one = small.get(i % small.size());
      Buffer thousand = large.get(i % large.size());
      clients.start(
          loop.context(),
          switch (i % KINDS) {
            case 0 -> () -> push(thousand, LARGE);
            case 1, 2 -> this::popAndAck;
            default -> () -> push(one, 1);
          });
    }
  }

  private Future<Integer> push(Buffer body, int size) {
    return ask(() -> client.post(BrokerClient.PUSH, body))
        .map(
            reply -> {
              messages.add(reply.isSuccess() ? size : 0);
              return 1;
            });
  }

  private Future<Integer> popAndAck() {
    return ask(() -> client.get(POP))
        .compose(
            reply -> {
              List<PopMessage> found = reply.isSuccess() ? Answers.pop(reply) : List.of();
              Buffer acks = Bodies.acks(GROUP, found).finish();
              return found.isEmpty()
                  ? Future.succeededFuture(reply)
                  : ask(() -> client.post(BrokerClient.ACK_BATCH, acks));
            })
        .map(1);
  }

  /** Fails if the answer is neither a success nor a refusal that says when to come back. */
  private Future<Reply> ask(Supplier<Future<Reply>> call) {
    long asked = System.nanoTime();
    open.incrementAndGet();
    return call.get()
        .onComplete(answered -> open.decrementAndGet())
        .map(
            reply -> {
              millis.recordValue((System.nanoTime() - asked) / 1_000_000);
              if (reply.isSuccess()) {
                served.increment();
              } else if (reply.status() == 503 && !reply.retryAfter().isEmpty()) {
                refused.increment();
              } else {
                reply.orThrow();
              }
              return reply;
            });
  }

  /** A push without transaction ids, so that the same bytes are new messages each time. */
  private static Buffer body(int size, int number) {
    StringBuilder text = new StringBuilder("{\"items\":[");
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : ",")
          .append("{\"queue\":\"")
          .append(queue(number % QUEUES))
          .append("\",\"partition\":\"customer-")
          .append((number + i / (LARGE / 10)) % PARTITIONS)
          .append("\",\"payload\":{\"status\":\"created\",\"note\":\"")
          .append("x".repeat(80))
          .append("\"}}");
    }
    return Buffer.buffer(text.append("]}").toString());
  }

  private static String queue(int number) {
    return "flood-" + number;
  }

  /** Requests with an answer of 2xx. */
  long served() {
    return served.sum();
  }

  /** Messages that were stored. */
  long messages() {
    return messages.sum();
  }

  /** Requests answered with a time to retry. */
  long refused() {
    return refused.sum();
  }

  /** Other answers, and requests whose connection broke. */
  long wrong() {
    return rounds.errors();
  }

  /** The first of those, or empty. */
  String firstWrong() {
    return rounds.firstError();
  }

  /** Clients that wait for an answer; none, some time after the end. */
  int open() {
    return open.get();
  }

  /** How long answers took. */
  Histogram millis() {
    return millis;
  }

  /** Ends the flood: no client sends another request. */
  void stop() {
    clients.stop();
  }

  @Override
  public void close() {
    stop();
    loop.close();
  }
}
