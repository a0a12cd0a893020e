package dev.queenmq.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.broker.BrokerProcess;
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
 * the broker to its promises, not to figures. The halves run at the same time: most of a fault is
 * waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class TortureIT {
  /** Of a half; it ends by the number of faults. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Of each half; each kind comes once. */
  private static final List<List<String>> FAULTS =
      List.of(
          List.of(
              "kill-broker",
              "terminate-backends",
              "freeze-postgres",
              "stall-tcp",
              "delay-tcp",
              "mangle-udp",
              "stall-uploads"),
          List.of(
              "kill-postgres",
              "kill-backend",
              "freeze-broker",
              "cut-tcp",
              "deafen-tcp",
              "half-open-tcp",
              "slow-readers"));

  /** They live for seconds, and share the processors with each other. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  TortureIT() {}

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void torture_findsNothingWrong(int half) {
    StringWriter text = new StringWriter();
    TortureReport report =
        new TortureRun(settings(half), BenchPostgresExtension.options(), new PrintWriter(text))
            .run();
    report.print(new PrintWriter(text));

    assertThat(report.wrongs()).as(text.toString()).isEmpty();
    for (Violation violation : Violation.values()) {
      assertThat(report.of(violation)).as(violation + "\n" + text).isZero();
    }
    assertThat(report.isClean()).as(text.toString()).isTrue();
    assertThat(report.cycles()).as(text.toString()).isEqualTo(FAULTS.get(half).size());
    assertThat(report.of(Count.ACKED)).as(text.toString()).isPositive();
    assertThat(report.of(Count.TRANSACTIONS)).as(text.toString()).isPositive();
  }

  private static TortureSettings settings(int half) {
    return new TortureSettings(
        BrokerProcess.builtJar(),
        2,
        LIMIT,
        FAULTS.get(half).size(),
        half + 1L,
        FAULTS.get(half),
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
