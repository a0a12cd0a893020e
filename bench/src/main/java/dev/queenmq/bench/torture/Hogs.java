package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Takes every connection that can be had, until it is closed. Works on a thread of its own. */
final class Hogs implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final BenchDatabase database;
  private final int most;
  private final Queue<PgConnection> connections = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::take, "hogs");
  private volatile boolean over;

  Hogs(BenchDatabase database, int most) {
    this.database = database;
    this.most = most;
  }

  /** Begins, and returns when there were no more to be had for the first time. */
  void start() {
    while (takeOne() && connections.size() < most) {
      Thread.onSpinWait();
    }
    thread.setDaemon(true);
    thread.start();
  }

  private void take() {
    while (!over) {
      if (!takeOne()) {
        Blocking.sleep(PAUSE);
      }
    }
  }

  private boolean takeOne() {
    PgConnectOptions options = database.options();
    options.getProperties().put("application_name", "hog");
    try {
      PgConnection taken = Blocking.get(PgConnection.connect(database.vertx(), options));
      taken.exceptionHandler(gone -> {});
      connections.add(taken);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void close() {
    over = true;
    Blocking.join(List.of(thread));
    connections.forEach(hog -> Blocking.get(hog.close().otherwiseEmpty()));
  }
}
