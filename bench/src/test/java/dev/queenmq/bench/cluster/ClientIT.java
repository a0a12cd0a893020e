package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.TestSeed;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.AuditSettings;
import dev.queenmq.bench.audit.ClientBehaviour;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.main.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import picocli.CommandLine;

/** The Java client at the brokers of a cluster: a short audit, and a short measurement. */
@ExtendWith(ClusterExtension.class)
@ResourceLock("dev.queenmq.bench.cluster.Brokers")
@Order(1)
class ClientIT {
  private static final Duration LENGTH = Duration.ofSeconds(2);
  private static final long MESSAGES = 300;

  private final StringWriter text = new StringWriter();
  private final Brokers brokers;

  ClientIT(Brokers brokers) {
    this.brokers = brokers;
  }

  @BeforeEach
  void heal() {
    brokers.repair();
  }

  @Test
  void theClient_losesNothing_whenABrokerIsKilled() {
    long seed = TestSeed.of(ClientIT.class);
    PrintWriter progress = new PrintWriter(text);
    Faults faults =
        new Faults(brokers.cluster(), new Faults.Plan(LENGTH, 1, false, false, seed), progress);
    AuditRun run =
        AuditRun.client(
            brokers.cluster().audited(faults::await),
            new AuditSettings(
                LENGTH, MESSAGES, 3, 1, 6, 1, 2, seed, ClientBehaviour.throughClient()),
            progress);
    faults.start();
    AuditReport report = run.run();
    report.print(progress);

    assertThat(report.violations().total()).as(text.toString()).isZero();
    assertThat(faults.wrongs()).isEmpty();
    assertThat(faults.kills()).isEqualTo(1);
    assertThat(report.of(Count.PUSHED)).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(report.of(Count.STORED)).isGreaterThanOrEqualTo(report.of(Count.PUSHED));
    // By acks, by transactions.
    assertThat(report.of(Count.ACKED)).as(text.toString()).isGreaterThan(report.of(Count.PUSHED));
    assertThat(report.of(Count.TRANSACTIONS)).as(text.toString()).isPositive();
  }

  @Test
  void theClient_isMeasuredBesideTheGenerator() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Bench())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("client", "--quick", "--url", brokers.url(0).toString());

    // How fast, on a machine that builds, says nothing.
    assertThat(code).as(err + "\n" + out).isBetween(0, 1);
    assertThat(err.toString()).doesNotContain("errors");
    assertThat(out.toString())
        .containsPattern("push batch 10, 50 partitions +[1-9]\\d* +[1-9]\\d* +\\d+\\.\\d\\d")
        .containsPattern("pop\\+ack batch 10 +[1-9]\\d* +[1-9]\\d* +\\d+\\.\\d\\d");
  }
}
