package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;

/** What blocks the thread that does the torturing. */
final class Waiting {
  private static final Duration GLANCE = Duration.ofMillis(100);

  private Waiting() {}

  static void sleep(Duration length) {
    Blocking.sleep(length);
  }

  static PgConnection connect(BenchDatabase database) {
    PgConnection connection =
        Blocking.get(PgConnection.connect(database.vertx(), database.options()));
    return connection.exceptionHandler(gone -> {});
  }

  static void run(PgConnection connection, String sql) {
    Blocking.get(connection.query(sql).execute());
  }

  /** Closes it; one that has been cut meanwhile is closed. */
  static void close(PgConnection connection) {
    Blocking.get(connection.close().otherwiseEmpty());
  }

  /** Whether it takes a write within this time. */
  static boolean answers(BenchDatabase database, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        database.query("create table if not exists public.torture_writes (at timestamptz)");
        database.query("insert into public.torture_writes values (clock_timestamp())");
        return true;
      } catch (IllegalStateException e) {
        sleep(GLANCE);
      }
    }
    return false;
  }
}
