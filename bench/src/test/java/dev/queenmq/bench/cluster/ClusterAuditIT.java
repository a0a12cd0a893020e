package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.TestSeed;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.AuditSettings;
import dev.queenmq.bench.audit.ClientBehaviour;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Violation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * One audit by message id by clients that ask any broker with each request, while a broker is
 * killed, what brokers tell each other is mangled on the way, and one among them tells nothing but
 * wrong hints.
 */
@ExtendWith(ClusterExtension.class)
@ResourceLock("dev.queenmq.bench.cluster.Brokers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
class ClusterAuditIT {
  private static final Duration LENGTH = Duration.ofSeconds(3);
  private static final long MESSAGES = 500;

  private final StringWriter text = new StringWriter();
  private final Brokers brokers;
  private long lies;

  @SuppressWarnings("NullAway.Init")
  private Map<UdpFault, Long> mangledBefore;

  @SuppressWarnings("NullAway.Init")
  private Faults faults;

  @SuppressWarnings("NullAway.Init")
  private AuditReport report;

  ClusterAuditIT(Brokers brokers) {
    this.brokers = brokers;
  }

  @BeforeAll
  void audit() {
    long seed = TestSeed.of(ClusterAuditIT.class);
    PrintWriter progress = new PrintWriter(text);
    Cluster cluster = brokers.cluster();
    brokers.repair();
    long liesBefore = cluster.lies();
    mangledBefore = brokers.network().counts();
    cluster.lie(true);
    brokers.network().let(UdpChaos.Mode.NONSENSE);
    faults = new Faults(cluster, new Faults.Plan(LENGTH, 1, false, false, seed), progress);
    AuditRun run =
        AuditRun.http(
            cluster.audited(faults::await),
            new AuditSettings(
                LENGTH,
                MESSAGES,
                3,
                3,
                6,
                2,
                2,
                seed,
                ClientBehaviour.restless(ClientBehaviour.Choosing.RANDOM)),
            progress);
    faults.start();
    report = run.run();
    faults.print(progress);
    report.print(progress);
    lies = cluster.lies() - liesBefore;
    System.out.printf(
        "cluster audit: %,d messages, %,d leases extended, %.1f s to push, %.1f s to drain%n",
        report.of(Count.PUSHED),
        report.of(Count.EXTENSIONS),
        report.pushSeconds(),
        report.drainSeconds());
  }

  @Test
  @DisplayName("Zero message loss under any cache state")
  void nothing_isLost() {
    none(Violation.LOST_PUSH, Violation.LOST_DELIVERY, Violation.NOT_DRAINED);
    assertThat(report.of(Count.PUSHED)).isPositive();
    assertThat(report.of(Count.STORED)).isGreaterThanOrEqualTo(report.of(Count.PUSHED));
  }

  @Test
  @DisplayName("Zero duplicate deliveries under any cache state")
  void nothing_isDeliveredAgainThatWasAcked() {
    none(Violation.DELIVERED_AFTER_ACK, Violation.ADMITTED_DUPLICATE, Violation.FALSE_DUPLICATE);
    assertThat(report.of(Count.ACKED)).isPositive();
  }

  @Test
  @DisplayName("Lease acquisition always correct (DB authoritative)")
  void leases_neverOverlap() {
    none(Violation.OVERLAPPING_LEASE, Violation.ORDER_INVERSION, Violation.PRODUCER_ORDER);
    assertThat(report.of(Count.DELIVERED)).isPositive();
  }

  @Test
  @DisplayName("A killed broker, a mangling network and a lying peer do no other harm")
  void nothingElse_isWrong() {
    assertThat(report.violations().examples()).as(text.toString()).isEmpty();
    assertThat(report.violations().total()).isZero();
    assertThat(faults.wrongs()).as(text.toString()).isEmpty();
    assertThat(faults.kills()).isEqualTo(1);
    assertThat(lies).isPositive();
    Map<UdpFault, Long> mangled = brokers.network().counts();
    mangledBefore.forEach(
        (fault, before) -> {
          if (fault != UdpFault.BLOCKED) {
            assertThat(mangled.get(fault)).as(fault.text()).isGreaterThan(before);
          }
        });
  }

  private void none(Violation... violations) {
    for (Violation violation : violations) {
      assertThat(report.violations().count(violation)).as(violation + "\n" + text).isZero();
    }
  }
}
