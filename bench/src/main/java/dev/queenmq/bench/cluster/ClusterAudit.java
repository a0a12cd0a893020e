package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.audit.AuditOptions;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.AuditSettings;
import dev.queenmq.bench.audit.ClientBehaviour;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench cluster-audit}. */
@Command(
    name = "cluster-audit",
    mixinStandardHelpOptions = true,
    description =
        "The clients of http-audit at several brokers on one PostgreSQL, while brokers die, are"
            + " restarted, or hear nonsense from each other. Exits with 1 if anything was wrong,"
            + " with --rolling also if a push failed.")
public final class ClusterAudit extends BenchCommand {
  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: ${DEFAULT-VALUE}).")
  private int seconds = 600;

  @Option(
      names = "--sync",
      description = "Messages between brokers: on or off (default: ${DEFAULT-VALUE}).")
  private OnOff sync = OnOff.ON;

  @Option(
      names = "--chaos",
      description =
          "Messages between brokers are dropped, delayed, duplicated, reordered, truncated,"
              + " falsified and replayed.")
  private boolean chaos;

  @Option(
      names = "--lies",
      description = "One of the brokers sends the others nothing but wrong hints.")
  private boolean lies;

  @Option(names = "--blocked", description = "Messages between brokers are lost.")
  private boolean blocked;

  @Option(
      names = "--kill",
      paramLabel = "N",
      description = "How many times a broker is killed (kill -9).")
  private int kills;

  @Option(names = "--rolling", description = "Brokers are restarted, one after the other.")
  private boolean rolling;

  @Mixin private AuditOptions auditOptions = new AuditOptions(6, 12, 3);

  @Option(
      names = "--clients",
      description =
          "Which broker a client asks: random, another one for each request, or sticky, the same"
              + " until there is trouble (default: ${DEFAULT-VALUE}).")
  private Clients clients = Clients.RANDOM;

  /** Whether brokers speak with each other. */
  enum OnOff {
    ON,
    OFF
  }

  /** Which broker a client asks. */
  enum Clients {
    RANDOM(ClientBehaviour.Choosing.RANDOM),
    STICKY(ClientBehaviour.Choosing.STICKY);

    private final ClientBehaviour.Choosing choosing;

    Clients(ClientBehaviour.Choosing choosing) {
      this.choosing = choosing;
    }
  }

  @Override
  public Integer call() {
    if (rolling && kills > 0) {
      throw wrong("--rolling or --kill, not both");
    }
    if (blocked && (chaos || lies)) {
      throw wrong("what is --blocked can be neither --chaos nor --lies");
    }
    if (sync == OnOff.OFF && (chaos || blocked || lies)) {
      throw wrong("with --sync off there is nothing to break or to block");
    }
    Sync how = how();
    PrintWriter err = err();
    try (Cluster cluster = Cluster.start(postgres(), clusterOptions.plan(how))) {
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
    AuditSettings settings =
        auditOptions.settings(
            length, 3, clusterOptions.seed(), ClientBehaviour.restless(clients.choosing));
    AuditRun run = AuditRun.http(cluster.audited(faults::await), settings, err());
    faults.start();
    AuditReport report = run.run();
    PrintWriter out = out();
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
      AuditReport.row(out, "false messages sent", cluster.lies());
    }
    AuditReport.row(out, "failed pushes", report.failedPushes());
    out.println();
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
    between.counts().forEach((fault, count) -> AuditReport.row(out, fault.text(), count));
  }
}
