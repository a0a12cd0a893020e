package dev.queenmq.bench.main;

import dev.queenmq.bench.audit.Audit;
import dev.queenmq.bench.audit.HttpAudit;
import dev.queenmq.bench.cluster.ClientAudit;
import dev.queenmq.bench.cluster.ClusterAudit;
import dev.queenmq.bench.cluster.ClusterBench;
import dev.queenmq.bench.cluster.ClusterRates;
import dev.queenmq.bench.compare.CompareBench;
import dev.queenmq.bench.http.BoundBench;
import dev.queenmq.bench.http.ClientBench;
import dev.queenmq.bench.http.HttpBench;
import dev.queenmq.bench.integrity.IntegrityBench;
import dev.queenmq.bench.overload.OverloadBench;
import dev.queenmq.bench.partitions.PartitionsBench;
import dev.queenmq.bench.retention.RetentionBench;
import dev.queenmq.bench.spool.SpoolBench;
import dev.queenmq.bench.spool.SpoolKill;
import dev.queenmq.bench.start.StartBench;
import dev.queenmq.bench.store.ExplainBench;
import dev.queenmq.bench.store.StoreBench;
import dev.queenmq.bench.tail.TailBench;
import dev.queenmq.bench.torture.Torture;
import dev.queenmq.bench.views.ViewsBench;
import dev.queenmq.bench.waiting.WaitingBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benchmarks and audits. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures the store and the broker, and tries to break them.",
    subcommands = {
      StoreBench.class,
      ExplainBench.class,
      Audit.class,
      HttpBench.class,
      BoundBench.class,
      ClientBench.class,
      CompareBench.class,
      HttpAudit.class,
      IntegrityBench.class,
      WaitingBench.class,
      StartBench.class,
      ClusterAudit.class,
      ClientAudit.class,
      ClusterBench.class,
      ClusterRates.class,
      OverloadBench.class,
      RetentionBench.class,
      ViewsBench.class,
      TailBench.class,
      PartitionsBench.class,
      SpoolBench.class,
      SpoolKill.class,
      Torture.class
    })
public final class Bench {
  private static final String LOG_CONFIGURATION = "logback.configurationFile";

  /** Runs a command and exits with its code: 0 if it passed. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "logback-bench.xml");
    }
    System.exit(run(arguments));
  }

  /** Runs a command and answers its exit code. */
  public static int run(String... arguments) {
    return new CommandLine(new Bench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments);
  }
}
