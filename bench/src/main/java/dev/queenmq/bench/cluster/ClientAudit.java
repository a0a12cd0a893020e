package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.audit.AuditOptions;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.AuditSettings;
import dev.queenmq.bench.audit.ClientBehaviour;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench client-audit}. */
@Command(
    name = "client-audit",
    mixinStandardHelpOptions = true,
    description =
        "The Java client as producer and as consumer, in turn at several brokers on one PostgreSQL,"
            + " while brokers are killed. Counts every message by its id. Exits with 1 if anything"
            + " was wrong.")
public final class ClientAudit extends BenchCommand {
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(12);

  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();

  @Option(
      names = "--minutes",
      description = "How long messages are pushed (default: ${DEFAULT-VALUE}).")
  private double minutes = 10;

  @Option(
      names = "--kill",
      paramLabel = "N",
      description = "How many times a broker is killed with -9 (default: five times a minute).")
  private Optional<Integer> kills = Optional.empty();

  @Option(names = "--groups", description = "Beside one that copies (default: ${DEFAULT-VALUE}).")
  private int groups = 2;

  @Mixin private AuditOptions auditOptions = new AuditOptions(2, 12, 3);

  @Override
  public Integer call() {
    Duration length = Duration.ofMillis(Math.round(minutes * 60_000));
    int number = kills.orElse((int) Math.max(1, length.dividedBy(BETWEEN_KILLS)));
    PrintWriter err = err();
    try (Cluster cluster = Cluster.start(postgres(), clusterOptions.plan(Sync.DIRECT))) {
      Faults faults =
          new Faults(
              cluster, new Faults.Plan(length, number, false, false, clusterOptions.seed()), err);
      AuditSettings settings =
          auditOptions.settings(
              length, groups, clusterOptions.seed(), ClientBehaviour.throughClient());
      AuditRun run = AuditRun.client(cluster.audited(faults::await), settings, err);
      faults.start();
      AuditReport report = run.run();
      PrintWriter out = out();
      out.printf("%d brokers, round robin%n", cluster.members().size());
      faults.print(out);
      out.println();
      report.print(out);
      return report.violations().total() == 0 && faults.wrongs().isEmpty() ? 0 : 1;
    }
  }
}
