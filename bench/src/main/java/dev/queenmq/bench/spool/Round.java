package dev.queenmq.bench.spool;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.broker.TcpProxy;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * One kill: what was done, and what came of it. Every second queue has no deduplication, so that
 * the broker itself must find out what PostgreSQL has already.
 */
record Round(
    int number,
    TcpProxy.Mode disturbance,
    boolean withoutPostgres,
    List<Producer> producers,
    Delivery delivery,
    Duration back) {
  static final String HEADINGS =
      "kill  line    restart   queued  buffered  refused  unanswered  delivered  lost  twice"
          + "  disordered  back ms";

  private static final int MOST_BUFFERED = 200;
  private static final int MOST_QUEUED_MILLIS = 300;
  private static final int PUSHES_WITHOUT = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BUFFERED_LIMIT = Duration.ofSeconds(60);
  private static final List<TcpProxy.Mode> DISTURBANCES =
      List.of(TcpProxy.Mode.SHUT, TcpProxy.Mode.SILENT, TcpProxy.Mode.DEAF);

  static Round run(int number, TcpProxy line, Member victim, int count, Random random) {
    String queue = "round" + number;
    TcpProxy.Mode disturbance = DISTURBANCES.get(random.nextInt(DISTURBANCES.size()));
    boolean withoutPostgres = random.nextInt(4) == 0;
    List<Producer> producers =
        IntStream.range(0, count)
            .mapToObj(i -> new Producer(queue, "p" + i, random.nextLong()))
            .toList();
    BlockingClient client = new BlockingClient(victim.url(), PATIENCE);
    if (random.nextBoolean()) {
      String body = "{\"queue\":\"" + queue + "\",\"options\":{\"dedupWindowSeconds\":0}}";
      client
          .post("/api/v1/configure", Buffer.buffer(body))
          .ifPresentOrElse(
              Reply::orThrow,
              () -> {
                throw new IllegalStateException("The queue could not be configured");
              });
    }
    pushUntilKilled(producers, client, line, victim, disturbance, random);
    long start = System.nanoTime();
    if (withoutPostgres) {
      line.let(TcpProxy.Mode.SHUT);
      victim.startUnhealthy();
      producers.forEach(producer -> few(producer, client));
      line.let(TcpProxy.Mode.OPEN);
      victim.awaitHealth();
    } else {
      line.let(TcpProxy.Mode.OPEN);
      victim.start();
    }
    Delivery delivery = new Delivery(client, queue);
    delivery.check(producers);
    return new Round(
        number,
        disturbance,
        withoutPostgres,
        producers,
        delivery,
        Duration.ofNanos(System.nanoTime() - start));
  }

  private static void few(Producer producer, BlockingClient client) {
    for (int i = 0; i < PUSHES_WITHOUT; i++) {
      producer.push(client, ignored -> {});
    }
  }

  private static void pushUntilKilled(
      List<Producer> producers,
      BlockingClient client,
      TcpProxy line,
      Member victim,
      TcpProxy.Mode disturbance,
      Random random) {
    AtomicInteger left = new AtomicInteger(random.nextInt(1, MOST_BUFFERED));
    CountDownLatch enough = new CountDownLatch(1);
    List<Thread> threads =
        producers.stream()
            .map(producer -> new Thread(() -> pushOn(producer, client, left, enough)))
            .toList();
    threads.forEach(Thread::start);
    Blocking.sleep(Duration.ofMillis(random.nextInt(MOST_QUEUED_MILLIS)));
    line.let(disturbance);
    boolean buffered =
        Blocking.call(() -> enough.await(BUFFERED_LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    String words = buffered ? "" : victim.tail();
    victim.kill();
    Blocking.join(threads);
    if (!buffered) {
      throw new IllegalStateException("the broker buffers nothing:\n" + words);
    }
  }

  private static void pushOn(
      Producer producer, BlockingClient client, AtomicInteger left, CountDownLatch enough) {
    boolean answered = true;
    while (answered) {
      answered =
          producer.push(
              client,
              kept -> {
                if (kept > 0 && left.addAndGet(-kept) <= 0) {
                  enough.countDown();
                }
              });
    }
  }

  private int sum(ToIntFunction<Producer> figure) {
    return producers.stream().mapToInt(figure).sum();
  }

  int promised() {
    return sum(producer -> producer.promised.size());
  }

  int buffered() {
    return sum(producer -> producer.buffered);
  }

  String row() {
    return "%4d  %-6s  %-7s  %7d  %8d  %7d  %10d  %9d  %4d  %5d  %10d  %7d"
        .formatted(
            number,
            disturbance.name().toLowerCase(Locale.ROOT),
            withoutPostgres ? "without" : "with",
            sum(producer -> producer.queued),
            buffered(),
            sum(producer -> producer.refused),
            sum(producer -> producer.unanswered),
            delivery.delivered,
            delivery.lost.size(),
            delivery.twice,
            delivery.disordered,
            back.toMillis());
  }
}
