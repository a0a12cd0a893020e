package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/**
 * Kills PostgreSQL with SIGKILL: its first process, which is then started again on the same data,
 * or one that serves a connection, after which PostgreSQL recovers by itself. Blocks.
 */
final class Crasher {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final BenchPostgres postgres;
  private final String databaseName;
  private final Ledger ledger;
  private final RandomGenerator random;
  private final Histogram recoveries = new Histogram(3);

  Crasher(BenchPostgres postgres, String databaseName, Ledger ledger, RandomGenerator random) {
    this.postgres = postgres;
    this.databaseName = databaseName;
    this.ledger = ledger;
    this.random = random;
  }

  /** Kills the first process, and starts it again. */
  void crash() {
    if (random.nextInt(4) == 0) {
      crashOneBackend();
    }
    long began = System.nanoTime();
    kill(postgres.postmasterPid());
    postgres.restart();
    awaitAnswer();
    recoveries.recordValue((System.nanoTime() - began) / NANOS_PER_MILLI);
  }

  /** From the kill of the first process until a query is answered again. */
  List<String> notes() {
    return recoveries.getTotalCount() == 0
        ? List.of()
        : List.of(
            "%d recoveries, median %d ms, longest %d ms"
                .formatted(
                    recoveries.getTotalCount(),
                    recoveries.getValueAtPercentile(50),
                    recoveries.getMaxValue()));
  }

  private void crashOneBackend() {
    List<Long> pids =
        database()
            .query(
                "select pid from pg_stat_activity where datname = current_database()"
                    + " and pid <> pg_backend_pid() and backend_type = 'client backend'")
            .stream()
            .map(row -> row.getLong(0))
            .toList();
    if (!pids.isEmpty()) {
      kill(pids.get(random.nextInt(pids.size())));
      awaitAnswer();
    }
  }

  private void kill(long pid) {
    ledger.add(Count.CRASHES);
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              process.destroyForcibly();
              process.onExit().join();
            });
  }

  private BenchDatabase database() {
    return postgres.database(databaseName);
  }

  /** Tries until the server answers; each try waits for the network by itself. */
  private void awaitAnswer() {
    long began = System.nanoTime();
    while (System.nanoTime() - began < LIMIT.toNanos()) {
      try {
        database().number("select 1");
        ledger.add(Count.POSTGRES_RECOVERIES);
        return;
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
    throw new IllegalStateException("PostgreSQL did not come back");
  }
}
