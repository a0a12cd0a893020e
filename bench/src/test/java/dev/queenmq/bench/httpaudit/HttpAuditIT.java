package dev.queenmq.bench.httpaudit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.broker.BrokerProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpAuditIT {
  HttpAuditIT() {}

  @Test
  void audit_findsNothingWrong() {
    HttpAuditSettings settings =
        new HttpAuditSettings(Duration.ofSeconds(5), 4, 4, 8, 2, 2, seed());
    StringWriter text = new StringWriter();
    try (BrokerProcess broker =
        BrokerProcess.start(
            BrokerProcess.builtJar(), Optional.of(Path.of("target").toAbsolutePath()), Map.of())) {
      HttpAuditReport report =
          new HttpAuditRun(
                  AuditedBrokers.of(List.of(broker.url())), settings, new PrintWriter(text))
              .run();
      report.print(new PrintWriter(text));

      assertThat(report.violations().examples()).as(text.toString()).isEmpty();
      assertThat(report.violations().total()).isZero();
      assertThat(report.of(Count.PUSHED)).isPositive();
      assertThat(report.of(Count.PRODUCERS_CUT)).isPositive();
      assertThat(report.of(Count.WAITS_CUT)).isPositive();
      assertThat(report.of(Count.DEATHS)).isPositive();
      assertThat(report.stored()).isEqualTo(report.of(Count.PUSHED));
    }
  }

  private static long seed() {
    return Long.getLong("queen.audit.seed", System.nanoTime());
  }
}
