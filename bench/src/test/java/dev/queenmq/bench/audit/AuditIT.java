package dev.queenmq.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.TestSeed;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BenchPostgresExtension.class)
class AuditIT {
  private static final long MESSAGES = 2_000;

  AuditIT() {}

  @Test
  void audit_findsNothingWrong(BenchPostgres postgres) {
    AuditReport report =
        new AuditRun(
                postgres,
                "short_audit",
                new AuditSettings(Duration.ofSeconds(3), MESSAGES, 6, 9, 8, 2, seed(), 0))
            .run();

    assertZeros(report);
    assertThat(report.tally().of(Tally.Count.PUSHED)).isPositive();
    assertThat(report.tally().of(Tally.Count.LOST_LEASES)).isPositive();
    assertThat(report.tally().of(Tally.Count.TRANSACTIONS)).isPositive();
  }

  @Test
  void audit_findsNothingWrong_whenPostgresIsKilled() {
    try (BenchPostgres postgres = BenchPostgres.start(BenchPostgresExtension.options(), Map.of())) {
      AuditReport report =
          new AuditRun(
                  postgres,
                  "crash_audit",
                  new AuditSettings(Duration.ofSeconds(3), MESSAGES, 4, 6, 8, 1, seed(), 2))
              .run();

      assertZeros(report);
      assertThat(report.recoveries().getTotalCount()).isEqualTo(2);
    }
  }

  private static long seed() {
    return TestSeed.of(AuditIT.class);
  }

  private static void assertZeros(AuditReport report) {
    assertThat(report.violations().examples()).as("seed %d", report.settings().seed()).isEmpty();
    assertThat(report.violations().total()).isZero();
  }
}
