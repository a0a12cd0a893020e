package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What belongs to ordinary traffic is no error in PostgreSQL's log: first contacts, duplicates,
 * full queues, lost leases, transactions that are rolled back. On a PostgreSQL of its own, because
 * other tests cause errors on purpose.
 */
class QuietLogIT {
  private static final int CALLS = Integer.getInteger("queen.log.calls", 1500);
  private static final long SEED = Long.getLong("queen.log.seed", System.nanoTime());

  @Test
  void ordinaryTraffic_writesNoError() {
    System.out.println("QuietLogIT: -Dqueen.log.seed=" + SEED);
    try (BenchPostgres postgres = BenchPostgres.start(BenchPostgresExtension.options(), Map.of())) {
      BenchDatabase database = postgres.createDatabase("quiet_log");
      int before = PostgresLog.of(database).lines().size();
      try (Session session = Session.hasty(database)) {
        usualFailures(session);
        MixedCalls calls = new MixedCalls(session, 4, 0, new Random(SEED));
        for (int i = 0; i < CALLS; i++) {
          Blocking.get(calls.next());
        }
      }
      List<String> lines = PostgresLog.of(database).lines();
      assertThat(lines.subList(before, lines.size())).noneMatch(line -> line.contains("ERROR"));
    }
  }

  /** Those that random calls may miss. */
  private static void usualFailures(Session session) {
    Blocking.get(
        session
            .store()
            .configure(
                List.of(
                    new QueueConfiguration(
                        "small",
                        Optional.empty(),
                        Optional.empty(),
                        QueueOptions.of(new JsonObject().put("maxSize", 1)),
                        false))));
    Blocking.get(session.push("small", "p", "a", "b"));
    Blocking.get(session.push("q", "p", "a", "a"));
    Blocking.get(session.push("q", "p", "a"));
    session.pop(Session.named("q", "p", "g", 1));
    Operation push = new Operation.Push(session.message("q", "p", "a"));
    Operation full = new Operation.Push(session.message("small", "p", "c"));
    Blocking.get(session.store().transaction(new Transaction(List.of(push), List.of())));
    Blocking.get(session.store().transaction(new Transaction(List.of(full), List.of())));
    Blocking.get(
        session.store().transaction(new Transaction(List.of(push), List.of(UUID.randomUUID()))));
  }
}
