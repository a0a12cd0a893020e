package dev.queenmq.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.httpaudit.Count;
import dev.queenmq.bench.httpaudit.HttpAuditReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A little torture with fixed seeds: faults that are quick to heal, at a rate that any machine can
 * do. No floods: they take whatever processor time there is, also from the tests beside them. Holds
 * the broker to its promises, not to figures. The seeds run at the same time: most of a fault is
 * waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class TortureIT {
  /** Of a run with one seed; it ends by the number of faults. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final int FAULTS_OF_A_RUN = 9;
  private static final List<String> FAULTS =
      List.of(
          "kill-broker",
          "kill-postgres",
          "kill-backend",
          "terminate-backends",
          "freeze-broker",
          "freeze-postgres",
          "cut-tcp",
          "stall-tcp",
          "deafen-tcp",
          "delay-tcp",
          "half-open-tcp",
          "mangle-udp",
          "stall-uploads",
          "slow-readers");

  /** They live for seconds, and share the processors with each other. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  TortureIT() {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void torture_findsNothingWrong(long seed) {
    StringWriter text = new StringWriter();
    TortureReport report =
        new TortureRun(settings(seed), BenchPostgresExtension.options(), new PrintWriter(text))
            .run();
    report.print(new PrintWriter(text));

    assertThat(report.wrongs()).as(text.toString()).isEmpty();
    for (Violation violation : HttpAuditReport.KINDS) {
      assertThat(report.of(violation)).as(violation + "\n" + text).isZero();
    }
    assertThat(report.isClean()).as(text.toString()).isTrue();
    assertThat(report.cycles()).as(text.toString()).isEqualTo(FAULTS_OF_A_RUN);
    assertThat(report.of(Count.ACKED)).as(text.toString()).isPositive();
    assertThat(report.of(Count.TRANSACTIONS)).as(text.toString()).isPositive();
  }

  private static TortureSettings settings(long seed) {
    return new TortureSettings(
        BrokerProcess.builtJar(),
        2,
        LIMIT,
        FAULTS_OF_A_RUN,
        seed,
        FAULTS,
        Duration.ofMillis(500),
        60,
        4,
        4,
        12,
        2,
        LIMIT,
        0,
        Map.of("NUM_WORKERS", "1", "JAVA_TOOL_OPTIONS", QUICK_START, "JAVA_OPTS", "-Xmx256m"),
        Optional.empty());
  }
}
