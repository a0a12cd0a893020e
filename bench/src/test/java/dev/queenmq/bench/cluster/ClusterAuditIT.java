package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.httpaudit.Count;
import dev.queenmq.bench.httpaudit.HttpAuditReport;
import dev.queenmq.bench.httpaudit.HttpAuditRun;
import dev.queenmq.bench.httpaudit.HttpAuditSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterAuditIT {
  private static final Duration LENGTH = Duration.ofSeconds(5);

  ClusterAuditIT() {}

  @Test
  void audit_findsNothingWrong_whenABrokerIsKilledAndAllHintsAreWrong() {
    long seed = Long.getLong("queen.audit.seed", System.nanoTime());
    StringWriter text = new StringWriter();
    PrintWriter progress = new PrintWriter(text);
    Cluster.Plan plan = new Cluster.Plan(BrokerProcess.builtJar(), 3, Sync.LIED_TO, Map.of(), seed);
    try (Cluster cluster = Cluster.start(BenchPostgresExtension.options(), plan)) {
      Faults faults = new Faults(cluster, new Faults.Plan(LENGTH, 1, false, false, seed), progress);
      HttpAuditRun run =
          new HttpAuditRun(
              cluster.audited(faults::await),
              new HttpAuditSettings(LENGTH, 4, 4, 8, 1, 2, seed),
              progress);
      faults.start();
      HttpAuditReport report = run.run();
      faults.print(progress);
      report.print(progress);

      assertThat(cluster.lies()).isPositive();
      assertThat(faults.wrongs()).as(text.toString()).isEmpty();
      assertThat(faults.kills()).isEqualTo(1);
      assertThat(report.violations().examples()).as(text.toString()).isEmpty();
      assertThat(report.violations().total()).isZero();
      assertThat(report.of(Count.PUSHED)).isPositive();
      assertThat(report.stored()).isGreaterThanOrEqualTo(report.of(Count.PUSHED));
    }
  }
}
