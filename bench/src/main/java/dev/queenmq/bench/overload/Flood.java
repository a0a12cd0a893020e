package dev.queenmq.bench.overload;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Clients without manners: each sends its next request as soon as it has an answer, a refusal as
 * well. They push one message or a thousand, or pop and acknowledge.
 */
final class Flood implements AutoCloseable {
  private static final int LARGE = 1000;
  private static final int KINDS = 10;
  private static final int QUEUES = 4;
  private static final int PARTITIONS = 50;
  private static final int PIPELINED = 4;
  private static final long AFTER_WRONG_MILLIS = 100;
  private static final String GROUP = "flood";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient client;
  private final LongAdder served = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();
  private final Histogram millis = new ConcurrentHistogram(3);
  private volatile String firstWrong = "";
  private volatile boolean stopped;

  /** Starts so many, four to a connection. */
  Flood(BrokerUrl url, int clients) {
    client = new BrokerClient(vertx, url, clients / PIPELINED, PIPELINED);
    List<Buffer> small = IntStream.range(0, QUEUES * PARTITIONS).mapToObj(i -> body(1, i)).toList();
    List<Buffer> large = IntStream.range(0, QUEUES * 2).mapToObj(i -> body(LARGE, i)).toList();
    for (int i = 0; i < clients; i++) {
      Buffer one = small.get(i % small.size());
      Buffer thousand = large.get(i % large.size());
      switch (i % KINDS) {
        case 0 -> start(() -> push(thousand, LARGE));
        case 1, 2 -> start(this::popAndAck);
        default -> start(() -> push(one, 1));
      }
    }
  }

  /** What a client does again and again. */
  private interface Work {
    Future<Void> once();
  }

  private void start(Work work) {
    open.incrementAndGet();
    vertx.runOnContext(go -> next(work));
  }

  private void next(Work work) {
    if (stopped) {
      open.decrementAndGet();
      return;
    }
    work.once()
        .onSuccess(done -> vertx.runOnContext(go -> next(work)))
        .onFailure(
            failure -> {
              wrong(failure.toString());
              vertx.setTimer(AFTER_WRONG_MILLIS, over -> next(work));
            });
  }

  private Future<Void> push(Buffer body, int size) {
    return ask(HttpMethod.POST, BrokerClient.PUSH, body)
        .onSuccess(
            reply -> {
              if (reply.isSuccess()) {
                messages.add(size);
              }
            })
        .mapEmpty();
  }

  private Future<Void> popAndAck() {
    String path = BrokerClient.popPath(queue(0)) + "?consumerGroup=" + GROUP + "&batch=100";
    return ask(HttpMethod.GET, path, Buffer.buffer())
        .compose(
            reply -> {
              List<PopMessage> found = reply.isSuccess() ? Answers.pop(reply) : List.of();
              if (found.isEmpty()) {
                return Future.succeededFuture();
              }
              Bodies acks = Bodies.acks(GROUP);
              found.forEach(message -> acks.ack(message, "completed"));
              return ask(HttpMethod.POST, BrokerClient.ACK_BATCH, acks.finish()).mapEmpty();
            });
  }

  private Future<Reply> ask(HttpMethod method, String path, Buffer body) {
    return client
        .request(method, path)
        .compose(
            request -> {
              long asked = System.nanoTime();
              return request
                  .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                  .send(body)
                  .compose(
                      response -> BrokerClient.reply(response).onSuccess(all -> count(response)))
                  .onSuccess(reply -> millis.recordValue((System.nanoTime() - asked) / 1_000_000));
            });
  }

  private void count(HttpClientResponse response) {
    int status = response.statusCode();
    if (status >= 200 && status < 300) {
      served.increment();
    } else if (status == 503 && response.getHeader(HttpHeaders.RETRY_AFTER) != null) {
      refused.increment();
    } else {
      wrong("status " + status);
    }
  }

  private void wrong(String what) {
    wrong.increment();
    if (firstWrong.isEmpty()) {
      firstWrong = what;
    }
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

  /** Requests that were told to come again later. */
  long refused() {
    return refused.sum();
  }

  /** Other answers, and requests whose connection broke. */
  long wrong() {
    return wrong.sum();
  }

  /** The first of those, or empty. */
  String firstWrong() {
    return firstWrong;
  }

  /** Clients who wait for an answer; none, some time after the end. */
  int open() {
    return open.get();
  }

  /** How long answers took. */
  Histogram millis() {
    return millis;
  }

  /** From here on nobody sends another request. */
  void stop() {
    stopped = true;
  }

  @Override
  public void close() {
    stop();
    Blocking.get(client.close());
    Blocking.get(vertx.close());
  }
}
