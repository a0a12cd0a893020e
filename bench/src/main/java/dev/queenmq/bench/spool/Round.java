package dev.queenmq.bench.spool;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerUrl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
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
    Line.State disturbance,
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
  private static final Duration BUFFERED_LIMIT = Duration.ofSeconds(60);
  private static final Line.State[] DISTURBANCES = {
    Line.State.CUT, Line.State.SILENT, Line.State.DEAF
  };

  static Round run(int number, Line line, Victim victim, int count, Random random) {
    String queue = "round" + number;
    Line.State disturbance = DISTURBANCES[random.nextInt(DISTURBANCES.length)];
    boolean withoutPostgres = random.nextInt(4) == 0;
    List<Producer> producers =
        IntStream.range(0, count)
            .mapToObj(i -> new Producer(queue, "p" + i, random.nextLong()))
            .toList();
    HttpClient client = HttpClient.newHttpClient();
    if (random.nextBoolean()) {
      withoutDeduplication(client, victim.url(), queue);
    }
    pushUntilKilled(producers, client, line, victim, disturbance, random);
    long start = System.nanoTime();
    if (withoutPostgres) {
      line.set(Line.State.CUT);
      victim.startUnhealthy();
      producers.forEach(producer -> few(producer, victim.url()));
      line.set(Line.State.OPEN);
      victim.awaitHealth();
    } else {
      line.set(Line.State.OPEN);
      victim.start();
    }
    Delivery delivery = new Delivery(HttpClient.newHttpClient(), victim.url(), queue);
    delivery.check(producers);
    return new Round(
        number,
        disturbance,
        withoutPostgres,
        producers,
        delivery,
        Duration.ofNanos(System.nanoTime() - start));
  }

  private static void few(Producer producer, BrokerUrl url) {
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 0; i < PUSHES_WITHOUT; i++) {
      producer.push(client, url, ignored -> {});
    }
  }

  private static void pushUntilKilled(
      List<Producer> producers,
      HttpClient client,
      Line line,
      Victim victim,
      Line.State disturbance,
      Random random) {
    AtomicInteger left = new AtomicInteger(random.nextInt(1, MOST_BUFFERED));
    CountDownLatch enough = new CountDownLatch(1);
    List<Thread> threads =
        producers.stream()
            .map(producer -> new Thread(() -> pushOn(producer, client, victim.url(), left, enough)))
            .toList();
    threads.forEach(Thread::start);
    Blocking.sleep(Duration.ofMillis(random.nextInt(MOST_QUEUED_MILLIS)));
    line.set(disturbance);
    boolean buffered = await(enough);
    String words = buffered ? "" : victim.tail();
    victim.kill();
    threads.forEach(Round::join);
    if (!buffered) {
      throw new IllegalStateException("the broker buffers nothing:\n" + words);
    }
  }

  private static void pushOn(
      Producer producer,
      HttpClient client,
      BrokerUrl url,
      AtomicInteger left,
      CountDownLatch enough) {
    boolean answered = true;
    while (answered) {
      answered =
          producer.push(
              client,
              url,
              kept -> {
                if (kept > 0 && left.addAndGet(-kept) <= 0) {
                  enough.countDown();
                }
              });
    }
  }

  private static void withoutDeduplication(HttpClient client, BrokerUrl url, String queue) {
    String body = "{\"queue\":\"" + queue + "\",\"options\":{\"dedupWindowSeconds\":0}}";
    try {
      int status =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(url + "/api/v1/configure"))
                      .POST(BodyPublishers.ofString(body))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      if (status / 100 != 2) {
        throw new IllegalStateException("configure was answered " + status);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(BUFFERED_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private int sum(ToIntFunction<Producer> figure) {
    return producers.stream().mapToInt(figure).sum();
  }

  int promised() {
    return sum(producer -> producer.promised().size());
  }

  int buffered() {
    return sum(Producer::buffered);
  }

  List<String> lost() {
    return delivery.lost();
  }

  int twice() {
    return delivery.twice();
  }

  int disordered() {
    return delivery.disordered();
  }

  String row() {
    return "%4d  %-6s  %-7s  %7d  %8d  %7d  %10d  %9d  %4d  %5d  %10d  %7d"
        .formatted(
            number,
            disturbance.name().toLowerCase(java.util.Locale.ROOT),
            withoutPostgres ? "without" : "with",
            sum(Producer::queued),
            buffered(),
            sum(Producer::refused),
            sum(Producer::unanswered),
            delivery.delivered(),
            lost().size(),
            twice(),
            disordered(),
            back.toMillis());
  }
}
