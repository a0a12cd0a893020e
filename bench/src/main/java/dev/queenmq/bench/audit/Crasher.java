package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/**
 * Kills PostgreSQL with SIGKILL: its first process, which is then started again on the same data,
 * or one that serves a connection, after which PostgreSQL recovers by itself. Blocks.
 */
final class Crasher {
  private static final long HIGHEST_MILLIS = 600_000;

  private final BenchPostgres postgres;
  private final String database;
  private final Tally tally;
  private final RandomGenerator random;
  private final Histogram recoveries = new Histogram(HIGHEST_MILLIS, 3);

  Crasher(BenchPostgres postgres, String database, Tally tally, RandomGenerator random) {
    this.postgres = postgres;
    this.database = database;
    this.tally = tally;
    this.random = random;
  }

  /** From the kill until a query is answered again, in milliseconds. */
  Histogram recoveries() {
    return recoveries;
  }

  /** Kills the first process, and starts it again. */
  void crash() {
    if (random.nextInt(4) == 0) {
      crashOneBackend();
    }
    tally.add(Tally.Count.CRASHES);
    long start = System.nanoTime();
    ProcessHandle postmaster = handle(postgres.postmasterPid()).orElseThrow();
    postmaster.destroyForcibly();
    postmaster.onExit().join();
    postgres.restart();
    awaitAnswer();
    recoveries.recordValue(Math.min(HIGHEST_MILLIS, (System.nanoTime() - start) / 1_000_000));
  }

  private void crashOneBackend() {
    Optional<ProcessHandle> backend = anyBackend();
    if (backend.isPresent()) {
      tally.add(Tally.Count.CRASHES);
      backend.get().destroyForcibly();
      backend.get().onExit().join();
      awaitAnswer();
    }
  }

  private Optional<ProcessHandle> anyBackend() {
    List<Long> pids =
        database()
            .query(
                "select pid from pg_stat_activity where datname = current_database()"
                    + " and pid <> pg_backend_pid() and backend_type = 'client backend'")
            .stream()
            .map(row -> row.getLong(0))
            .toList();
    return pids.isEmpty() ? Optional.empty() : handle(pids.get(random.nextInt(pids.size())));
  }

  private static Optional<ProcessHandle> handle(long pid) {
    return ProcessHandle.of(pid);
  }

  private BenchDatabase database() {
    return postgres.database(database);
  }

  /** Tries until the server answers; each try waits for the network by itself. */
  private void awaitAnswer() {
    awaitFirstAnswer();
    tally.add(Tally.Count.COMEBACKS);
  }

  private void awaitFirstAnswer() {
    long deadline = System.nanoTime() + HIGHEST_MILLIS * 1_000_000;
    while (System.nanoTime() < deadline) {
      try {
        database().number("select 1");
        return;
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
    throw new IllegalStateException("PostgreSQL did not come back");
  }
}
