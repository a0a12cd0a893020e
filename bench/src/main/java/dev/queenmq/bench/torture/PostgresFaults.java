package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.ProcessSignal;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What can happen to PostgreSQL. */
final class PostgresFaults {
  private static final String BROKERS =
      " from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
          + " and backend_type = 'client backend'";
  private static final int MOST_STORMS = 5;

  private final Deployment deployment;

  PostgresFaults(Deployment deployment) {
    this.deployment = deployment;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
            "kill-postgres",
            "kill -9 of PostgreSQL's first process",
            0.2,
            4,
            random -> {
              end(ProcessSignal.KILL);
              return deployment::restartPostgres;
            }),
        Fault.of(
            "shut-postgres",
            "immediate shutdown of PostgreSQL",
            0.2,
            4,
            random -> {
              end(ProcessSignal.QUIT);
              return deployment::restartPostgres;
            }),
        Fault.of(
            "promote-standby",
            "kill -9 of PostgreSQL's first process; a synchronous standby takes over",
            0.2,
            4,
            random -> {
              deployment.addStandby(true);
              Blocking.sleep(Duration.ofMillis(random.nextInt(2_000)));
              deployment.postgres().kill();
              return () -> BenchPostgres.discard(deployment.promote());
            }),
        Fault.of(
            "kill-backend",
            "kill -9 of a single backend, so that PostgreSQL restarts all",
            0.1,
            0.5,
            random -> {
              List<Long> pids = pids(deployment.database());
              if (!pids.isEmpty()) {
                ProcessSignal.KILL.send(pids.get(random.nextInt(pids.size())));
              }
              return () -> {};
            }),
        Fault.of(
            "terminate-backends",
            "pg_terminate_backend of all connections, several times",
            0.1,
            0.5,
            random -> {
              for (int i = random.nextInt(1, MOST_STORMS); i > 0; i--) {
                deployment.database().query("select pg_terminate_backend(pid)" + BROKERS);
                Blocking.sleep(Duration.ofMillis(random.nextInt(400)));
              }
              return () -> {};
            }),
        Fault.of(
            "freeze-postgres",
            "SIGSTOP of all processes of PostgreSQL",
            1,
            8,
            random -> {
              List<Long> pids = processes();
              ProcessSignal.STOP.send(pids);
              return () -> ProcessSignal.CONT.send(pids);
            }),
        Fault.of(
            "hold-xmin",
            "a transaction that keeps PostgreSQL from cleaning up",
            60,
            180,
            random -> {
              PgConnection holder = connect(deployment.database());
              run(holder, "begin isolation level repeatable read");
              run(holder, "select pg_current_xact_id()");
              return () -> close(holder);
            }),
        Fault.of(
            "exhaust-connections",
            "all connections that PostgreSQL allows are taken",
            2,
            8,
            this::exhaust),
        Fault.of(
                "fill-postgres-disk",
                "no room left on PostgreSQL's disk",
                2,
                8,
                random -> {
                  deployment.databaseDisk().fill();
                  return () -> {
                    deployment.databaseDisk().clear();
                    if (!deployment.takesWrites(Duration.ofSeconds(10))) {
                      // It has given up, as it may when it cannot write its log.
                      deployment.restartPostgres();
                    }
                  };
                })
            .unless(deployment.databaseDisk().missing()));
  }

  private Fault.Healing exhaust(RandomGenerator random) {
    BenchDatabase database = deployment.database();
    // Before all are taken, one that can still speak.
    PgConnection one = connect(database);
    Hogs hogs = new Hogs(database, Deployment.MAX_CONNECTIONS);
    hogs.start();
    run(one, "select pg_terminate_backend(pid)" + BROKERS + " and application_name <> 'hog'");
    close(one);
    return hogs::close;
  }

  private void end(ProcessSignal signal) {
    long pid = deployment.postgres().postmasterPid();
    Optional<ProcessHandle> postmaster = ProcessHandle.of(pid);
    signal.send(pid);
    postmaster.ifPresent(process -> process.onExit().join());
  }

  private List<Long> processes() {
    List<Long> pids = new ArrayList<>();
    ProcessHandle.of(deployment.postgres().postmasterPid())
        .ifPresent(
            first -> {
              pids.add(first.pid());
              first.descendants().forEach(below -> pids.add(below.pid()));
            });
    return pids;
  }

  private static List<Long> pids(BenchDatabase database) {
    return database.query("select pid::bigint" + BROKERS).stream()
        .map(row -> row.getLong(0))
        .toList();
  }

  private static PgConnection connect(BenchDatabase database) {
    return Blocking.get(PgConnection.connect(database.vertx(), database.options()))
        .exceptionHandler(gone -> {});
  }

  private static void run(PgConnection connection, String sql) {
    Blocking.get(connection.query(sql).execute());
  }

  /** Closes it; one that has been cut meanwhile is closed. */
  private static void close(PgConnection connection) {
    Blocking.get(connection.close().otherwiseEmpty());
  }
}
