package dev.queenmq.bench.integrity;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.Reply;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rounds of pushes against one broker, each followed by a look at what was stored. */
final class IntegrityRun {
  private static final int CLIENTS = 8;
  private static final int UPLOADS = 6;
  private static final Duration REPLAY_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
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
  void run(Duration duration) {
    long until = System.nanoTime() + duration.toNanos();
    int round = 0;
    do {
      send(round++);
      compare();
    } while (System.nanoTime() < until && broker.process().isAlive());
  }

  private void send(int round) {
    List<Thread> clients =
        IntStream.range(0, CLIENTS)
            .mapToObj(client -> new Thread(() -> sendAll(client, round)))
            .toList();
    clients.forEach(Thread::start);
    Blocking.join(clients);
  }

  private void sendAll(int client, int round) {
    Client sender = new Client(broker.url(), seed + client, longestStallMillis);
    for (int i = 0; i < UPLOADS; i++) {
      Upload upload = Upload.of(seed, client, round * UPLOADS + i, largest);
      byte[] body = upload.body();
      String hash = upload.hash(body);
      findings.sent(upload, hash, sender.send(upload, body));
    }
  }

  private void compare() {
    try (EventLoop loop = new EventLoop()) {
      BenchDatabase database = broker.database(loop.vertx());
      // What was answered `buffered` comes a moment later.
      Blocking.await(
          REPLAY_LIMIT, POLL_INTERVAL, () -> stored(database).size() >= findings.accepted());
      findings.compare(stored(database));
      // So that the disk does not fill.
      BlockingClient client = new BlockingClient(broker.url(), REPLAY_LIMIT);
      for (Row row : database.query("select name from queen.queues")) {
        client
            .delete("/api/v1/resources/queues/" + row.getString("name"))
            .ifPresentOrElse(
                Reply::orThrow,
                () -> {
                  throw new IllegalStateException("DELETE of a queue failed");
                });
      }
    }
  }

  private static Map<String, String> stored(BenchDatabase database) {
    return database.query(STORED).stream()
        .collect(
            Collectors.toMap(row -> row.getString("transaction_id"), row -> row.getString("hash")));
  }
}
