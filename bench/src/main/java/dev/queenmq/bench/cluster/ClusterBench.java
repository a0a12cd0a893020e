package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.MachineReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description =
        "How fast a push at one broker wakes polls at another, and what messages cost in calls of"
            + " PostgreSQL and in packets, with and without messages between brokers.")
public final class ClusterBench extends BenchCommand {
  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();

  @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 20;

  @Option(
      names = "--sync",
      description = "Messages between brokers: on, off or both (default: ${DEFAULT-VALUE}).")
  private Which sync = Which.BOTH;

  @Option(names = "--blocked", description = "With sync on, messages between brokers are lost.")
  private boolean blocked;

  @Option(names = "--rate", description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private int rate = 500;

  @Option(
      names = "--direct",
      description = "No proxy between brokers, which otherwise counts their packets.")
  private boolean direct;

  /** Which brokers are measured. */
  enum Which {
    ON,
    OFF,
    BOTH
  }

  @Override
  public Integer call() {
    if (blocked && (direct || sync == Which.OFF)) {
      throw wrong("--blocked needs sync and the proxy that does it");
    }
    List<Figures> figures = new ArrayList<>();
    if (sync != Which.ON) {
      figures.add(measure(Sync.OFF));
    }
    if (sync != Which.OFF) {
      figures.add(measure(direct ? Sync.DIRECT : Sync.PROXIED));
    }
    PrintWriter out = out();
    Figures.print(out, figures);
    out.flush();
    return 0;
  }

  private Figures measure(Sync how) {
    Duration length = Duration.ofSeconds(seconds);
    try (Cluster cluster = Cluster.start(postgres(), clusterOptions.plan(how))) {
      if (how == Sync.OFF || sync == Which.ON) {
        MachineReport.print(out(), cluster.database());
      }
      if (blocked) {
        cluster.chaos().ifPresent(between -> between.let(UdpChaos.Mode.NOTHING));
      }
      Figures figures =
          new Figures("sync " + how.text() + (blocked && how != Sync.OFF ? ", blocked" : ""));
      try (EventLoop loop = new EventLoop()) {
        say("  " + figures.title() + ": 1 waiter");
        new WakeUps(cluster, loop, 1).run(length, figures);
        say("  " + figures.title() + ": 100 waiters");
        new WakeUps(cluster, loop, WakeUps.MANY).run(length, figures);
        say("  " + figures.title() + ": nothing");
        new Idle(cluster, loop, 0).run(length, figures);
        say("  " + figures.title() + ": pushes without a waiting consumer");
        new Idle(cluster, loop, rate).run(length, figures);
        say("  " + figures.title() + ": load");
        new Load(cluster, loop, rate).run(length, figures);
      }
      return figures;
    }
  }
}
