package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One consumer that pops with {@code wait=true}, acks what it got, and pops again, until everything
 * is acked that was pushed before it began. One measurement at a time.
 */
final class ConsumerLoop implements AutoCloseable {
  private static final int PUSH_BATCH = 100;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final EventLoop loop;
  private final List<BrokerClient> clients;
  private final Duration limit;
  private int queues;

  /**
   * Nothing happens yet.
   *
   * @param limit of a measurement, so that a broker that delivers nothing does not hold it up
   */
  ConsumerLoop(Cluster cluster, EventLoop loop, Duration limit) {
    this.loop = loop;
    this.limit = limit;
    clients = cluster.clients(loop, 1);
  }

  /**
   * What became of it.
   *
   * @param acked messages
   * @param wrongs what no broker may do, for people
   */
  record Outcome(int acked, double seconds, List<String> wrongs) {
    double rate() {
      return acked / seconds;
    }
  }

  /** Pushes this many messages to a new queue and measures how fast they are consumed; blocks. */
  Outcome run(RateCase what, Route route, int messages) {
    String queue = "rates-" + queues++;
    push(queue, what.partitions(), messages);
    Run run = new Run(queue, what.batch(), route, messages);
    return loop.await(run::start);
  }

  private void push(String queue, int partitions, int messages) {
    for (int from = 0; from < messages; from += PUSH_BATCH) {
      Bodies body = Bodies.push();
      for (int i = from; i < Math.min(messages, from + PUSH_BATCH); i++) {
        body.item(queue, "p-" + i % partitions, queue + "-" + i, PopMessage.payload(i));
      }
      Blocking.get(clients.get(0).push(body).map(Reply::orThrow));
    }
  }

  @Override
  public void close() {
    clients.forEach(client -> Blocking.get(client.close()));
  }

  /** One measurement. For the event loop. */
  private final class Run {
    private final String queue;
    private final String query;
    private final Route route;
    private final int messages;
    private final Promise<Outcome> over = Promise.promise();
    private final Set<Long> seen = new HashSet<>();
    private final List<String> wrongs = new ArrayList<>();
    private final long start = System.nanoTime();
    private int acked;
    private long requests;

    Run(String queue, int batch, Route route, int messages) {
      this.queue = queue;
      this.route = route;
      this.messages = messages;
      query = "wait=true&timeout=" + limit.toMillis() + "&batch=" + batch;
    }

    private Future<Outcome> start() {
      next();
      return over.future();
    }

    private void next() {
      long nanos = System.nanoTime() - start;
      if (acked >= messages || nanos > limit.toNanos()) {
        over.complete(new Outcome(acked, nanos / 1e9, List.copyOf(wrongs)));
        return;
      }
      clients
          .get(route.pop(requests++, clients.size()))
          .pop(queue, query)
          .timeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .compose(this::ack)
          .onSuccess(done -> next())
          .onFailure(over::fail);
    }

    private Future<Integer> ack(List<PopMessage> popped) {
      for (PopMessage message : popped) {
        if (!seen.add(message.number())) {
          wrongs.add(message + " came twice");
        }
      }
      if (popped.isEmpty()) {
        return Future.succeededFuture(0);
      }
      return clients
          .get(route.ack(requests++, clients.size()))
          .ack("", popped)
          .timeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .onSuccess(count -> acked += count)
          .otherwise(
              refused -> {
                wrongs.add("an ack was refused: " + refused.getMessage());
                return 0;
              });
    }
  }
}
