package dev.queenmq.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.TestSeed;
import dev.queenmq.bench.audit.ledger.Count;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BenchPostgresExtension.class)
class AuditIT {
  private static final long MESSAGES = 2_000;
  private static final PrintWriter NOWHERE = new PrintWriter(PrintWriter.nullWriter());

  AuditIT() {}

  @Test
  void audit_findsNothingWrong(BenchPostgres postgres) {
    AuditReport report = AuditRun.store(postgres, "short_audit", 0, settings(6, 2), NOWHERE).run();

    assertZeros(report);
    assertThat(report.of(Count.PUSHED)).isPositive();
    assertThat(report.of(Count.LOST_LEASES)).isPositive();
    assertThat(report.of(Count.TRANSACTIONS)).isPositive();
  }

  @Test
  void audit_findsNothingWrong_whenPostgresIsKilled() {
    try (BenchPostgres postgres = BenchPostgres.start(BenchPostgresExtension.options(), Map.of())) {
      AuditReport report =
          AuditRun.store(postgres, "crash_audit", 2, settings(4, 1), NOWHERE).run();

      assertZeros(report);
      assertThat(report.of(Count.POSTGRES_RECOVERIES)).isGreaterThanOrEqualTo(2);
    }
  }

  /** Statements of the broker are cancelled by this name. */
  @Test
  void queriesOfTheAudit_areNoneOfTheBroker(BenchPostgres postgres) {
    String name =
        postgres
            .database("postgres")
            .text("select application_name from pg_stat_activity where pid = pg_backend_pid()");

    assertThat(name).isEqualTo("bench");
  }

  private static AuditSettings settings(int producers, int groups) {
    return new AuditSettings(
        Duration.ofSeconds(3),
        MESSAGES,
        producers,
        3,
        8,
        groups,
        1,
        TestSeed.of(AuditIT.class),
        ClientBehaviour.atStore());
  }

  private static void assertZeros(AuditReport report) {
    assertThat(report.violations().examples()).as("seed %d", report.settings().seed()).isEmpty();
    assertThat(report.violations().total()).isZero();
  }
}
