package dev.queenmq.bench.integrity;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.EmbeddedDatabase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Rounds of pushes against one broker, each followed by a look at what was stored. */
final class IntegrityRun {
  private static final int CLIENTS = 8;
  private static final int UPLOADS = 6;
  private static final Duration REPLAY_LIMIT = Duration.ofMinutes(2);
  private static final Duration GLANCE = Duration.ofMillis(200);
  private static final String STORED =
      "select transaction_id, encode(sha256(convert_to(payload, 'UTF8')), 'hex') as hash"
          + " from queen.messages";

  private final BrokerProcess broker;
  private final long seed;
  private final int largest;
  private final int longestStallMillis;
  private final Findings findings;

  IntegrityRun(
      BrokerProcess broker, long seed, int largest, int longestStallMillis, Findings findings) {
    this.broker = broker;
    this.seed = seed;
    this.largest = largest;
    this.longestStallMillis = longestStallMillis;
    this.findings = findings;
  }

  /** At least one round, and then more until the time is over. */
  void run(Duration duration) throws InterruptedException {
    long until = System.nanoTime() + duration.toNanos();
    int round = 0;
    do {
      send(round++);
      compare();
    } while (System.nanoTime() < until && broker.isAlive());
  }

  private void send(int round) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        clients.add(
            threads.submit(
                () -> {
                  sendAll(client, round);
                  return null;
                }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private void sendAll(int client, int round) throws InterruptedException {
    Client sender = new Client(broker.url(), seed + client, longestStallMillis);
    for (int i = 0; i < UPLOADS; i++) {
      Upload upload = Upload.of(seed, client, round * UPLOADS + i, largest);
      byte[] body = upload.body();
      String hash = upload.hash(body);
      findings.sent(upload, hash, sender.send(upload, body));
    }
  }

  private void compare() throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    try {
      PgConnection database = EmbeddedDatabase.connect(vertx, broker.dataFolder());
      long until = System.nanoTime() + REPLAY_LIMIT.toNanos();
      Map<String, String> stored = stored(database);
      // What was answered `buffered` comes a moment later.
      while (stored.size() < findings.accepted() && System.nanoTime() < until) {
        Blocking.sleep(GLANCE);
        stored = stored(database);
      }
      findings.compare(stored);
      deleteQueues(database);
      Blocking.get(database.close());
    } finally {
      Blocking.get(vertx.close());
    }
  }

  private static Map<String, String> stored(PgConnection database) {
    Map<String, String> found = new HashMap<>();
    for (Row row : Blocking.get(database.query(STORED).execute())) {
      found.put(row.getString("transaction_id"), row.getString("hash"));
    }
    return found;
  }

  /** So that the disk does not fill. */
  private void deleteQueues(PgConnection database) throws InterruptedException {
    List<String> queues = new ArrayList<>();
    for (Row row : Blocking.get(database.query("select name from queen.queues").execute())) {
      queues.add(row.getString("name"));
    }
    HttpClient client = HttpClient.newHttpClient();
    for (String queue : queues) {
      URI uri = URI.create(broker.url() + "/api/v1/resources/queues/" + queue);
      try {
        int status =
            client
                .send(HttpRequest.newBuilder(uri).DELETE().build(), BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
          throw new IllegalStateException("DELETE of a queue was answered " + status);
        }
      } catch (IOException e) {
        throw new IllegalStateException("DELETE of a queue failed", e);
      }
    }
  }
}
