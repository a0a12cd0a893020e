package dev.queenmq.bench.cluster;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.httpaudit.HttpAuditReport;
import dev.queenmq.bench.httpaudit.HttpAuditRun;
import dev.queenmq.bench.httpaudit.HttpAuditSettings;
import dev.queenmq.bench.httpaudit.Manners;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench cluster-audit}. */
@Command(
    name = "cluster-audit",
    mixinStandardHelpOptions = true,
    description =
        "The clients of http-audit at several brokers on one PostgreSQL, while brokers die, are"
            + " restarted, or hear nonsense from each other. Exits with 1 if anything was wrong,"
            + " with --rolling also if a push failed.")
public final class ClusterAudit implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: ${DEFAULT-VALUE}).")
  private int seconds = 600;

  @Option(
      names = "--sync",
      description = "Whether brokers speak with each other: on or off (default: ${DEFAULT-VALUE}).")
  private OnOff sync = OnOff.ON;

  @Option(
      names = "--chaos",
      description =
          "What brokers tell each other is dropped, delayed, duplicated, reordered, truncated,"
              + " falsified and replayed.")
  private boolean chaos;

  @Option(
      names = "--lies",
      description = "One among the brokers tells the others nothing but wrong hints.")
  private boolean lies;

  @Option(names = "--blocked", description = "What brokers tell each other does not arrive.")
  private boolean blocked;

  @Option(names = "--kill", paramLabel = "N", description = "So many times kill -9 of a broker.")
  private int kills;

  @Option(names = "--rolling", description = "Brokers are restarted, one after the other.")
  private boolean rolling;

  @Option(names = "--producers", description = "Default: ${DEFAULT-VALUE}.")
  private int producers = 8;

  @Option(names = "--consumers", description = "Of each group (default: ${DEFAULT-VALUE}).")
  private int consumers = 6;

  @Option(names = "--partitions", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions = 12;

  @Option(
      names = "--clients",
      description =
          "Which broker a client asks: random, another one for each request, or sticky, the same"
              + " until there is trouble (default: ${DEFAULT-VALUE}).")
  private Clients clients = Clients.RANDOM;

  @Option(names = "--lease", description = "Seconds of a lease (default: ${DEFAULT-VALUE}).")
  private int lease = 3;

  /** Made by picocli. */
  public ClusterAudit() {}

  /** Whether brokers speak with each other. */
  enum OnOff {
    ON,
    OFF
  }

  /** Which broker a client asks. */
  enum Clients {
    RANDOM(Manners.Choosing.RANDOM),
    STICKY(Manners.Choosing.STICKY);

    private final Manners.Choosing choosing;

    Clients(Manners.Choosing choosing) {
      this.choosing = choosing;
    }
  }

  @Override
  public Integer call() {
    if (rolling && kills > 0) {
      throw new ParameterException(spec.commandLine(), "--rolling or --kill, not both");
    }
    if (blocked && (chaos || lies)) {
      throw new ParameterException(
          spec.commandLine(), "what is --blocked can be neither --chaos nor --lies");
    }
    if (sync == OnOff.OFF && (chaos || blocked || lies)) {
      throw new ParameterException(
          spec.commandLine(), "with --sync off there is nothing to break or to block");
    }
    Sync how = how();
    PrintWriter err = spec.commandLine().getErr();
    try (Cluster cluster = Cluster.start(postgresOptions, clusterOptions.plan(how))) {
      cluster
          .members()
          .forEach(member -> err.println("broker " + member.name() + " at " + member.url()));
      err.flush();
      cluster.chaos().ifPresent(between -> between.let(mode()));
      return audit(cluster, how, err);
    }
  }

  private UdpChaos.Mode mode() {
    if (blocked) {
      return UdpChaos.Mode.NOTHING;
    }
    return chaos ? UdpChaos.Mode.NONSENSE : UdpChaos.Mode.ALL;
  }

  private Sync how() {
    if (sync == OnOff.OFF) {
      return Sync.OFF;
    }
    if (lies) {
      return Sync.LIED_TO;
    }
    return chaos || blocked ? Sync.PROXIED : Sync.DIRECT;
  }

  private int audit(Cluster cluster, Sync how, PrintWriter err) {
    Duration length = Duration.ofSeconds(seconds);
    Faults faults =
        new Faults(
            cluster,
            new Faults.Plan(length, kills, rolling, how == Sync.DIRECT, clusterOptions.seed()),
            err);
    HttpAuditSettings settings =
        new HttpAuditSettings(
            length,
            0,
            producers,
            consumers,
            partitions,
            2,
            lease,
            clusterOptions.seed(),
            Manners.restless(clients.choosing));
    HttpAuditRun run = new HttpAuditRun(cluster.audited(faults::await), settings, err);
    faults.start();
    HttpAuditReport report = run.run();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%d brokers, sync %s%s%s, %s clients%n",
        cluster.members().size(),
        how.text(),
        chaos ? ", with chaos" : "",
        blocked ? ", blocked" : "",
        clients.name().toLowerCase(Locale.ROOT));
    faults.print(out);
    cluster.chaos().ifPresent(between -> print(out, between));
    if (lies) {
      out.printf("%-56s %12d%n", "lies told", cluster.lies());
    }
    out.printf("%-56s %12d%n%n", "failed pushes", report.failedPushes());
    report.print(out);
    boolean wrong =
        report.violations().total() > 0
            || !faults.wrongs().isEmpty()
            || (rolling && report.failedPushes() > 0);
    if (rolling && report.failedPushes() > 0) {
      out.println("PUSHES FAILED.");
    }
    if (!faults.wrongs().isEmpty()) {
      out.println("BROKERS MISBEHAVED.");
    }
    out.flush();
    return wrong ? 1 : 0;
  }

  private static void print(PrintWriter out, UdpChaos between) {
    between.counts().forEach((fault, count) -> out.printf("%-56s %12d%n", fault.text(), count));
  }
}
