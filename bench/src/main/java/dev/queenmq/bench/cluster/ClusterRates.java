package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.MachineReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench cluster-rates}. */
@Command(
    name = "cluster-rates",
    mixinStandardHelpOptions = true,
    description =
        "How fast one consumer is that asks one broker or several, and how fast a poll that waits"
            + " at another broker ends, with and without messages between brokers. Exits with 1"
            + " if a target is missed.")
public final class ClusterRates extends BenchCommand {
  private static final int LEAST_BROKERS = 3;
  private static final int QUICK_MESSAGES = 20;
  private static final int QUICK_WAKES = 3;
  private static final int WARM_UP_WAKES = 10;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration QUICK_LIMIT = Duration.ofSeconds(3);
  private static final Duration WARM_UP = Duration.ofSeconds(25);
  private static final Duration LAST_PACKETS = Duration.ofMillis(300);

  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();

  @Option(names = "--messages", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int messages = 300;

  @Option(
      names = "--rounds",
      description =
          "How often each rate is measured, with and without UDP in turn; medians count. An even"
              + " number, so that each comes first as often as the other (default:"
              + " ${DEFAULT-VALUE}).")
  private int rounds = 8;

  @Option(
      names = "--wakes",
      description = "Polls whose end is measured, of each kind (default: ${DEFAULT-VALUE}).")
  private int wakes = 200;

  @Option(
      names = "--case",
      paramLabel = "PARTITIONSxBATCH",
      description = "Only this case, such as 20x1; may be repeated (default: all).")
  private List<String> cases = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "A small run, to see that it works: figures mean little.")
  private boolean quick;

  private RatesTable table = new RatesTable(RateCase.ALL);
  private final List<String> wrongs = new ArrayList<>();
  private final List<String> stalls = new ArrayList<>();

  @Override
  public Integer call() {
    Cluster.Plan with = clusterOptions.plan(Sync.DIRECT);
    if (with.brokers() < LEAST_BROKERS) {
      throw wrong("--brokers must be " + LEAST_BROKERS + " or more");
    }
    table = new RatesTable(chosen());
    Duration limit = quick ? QUICK_LIMIT : LIMIT;
    // Both at the same time: one after the other, they would meet a different machine.
    try (Cluster on = Cluster.start(postgres(), with);
        Cluster off = Cluster.start(postgres(), clusterOptions.plan(Sync.OFF));
        EventLoop loop = new EventLoop();
        Side udp = new Side(on, loop, limit, true);
        Side alone = new Side(off, loop, limit, false)) {
      MachineReport.print(out(), on.database());
      measure(List.of(udp, alone));
    }
    PrintWriter out = out();
    List<String> missed = table.print(out);
    wrongs.forEach(wrong -> out.println("WRONG: " + wrong));
    // A median does not show what happens now and then.
    stalls.forEach(stall -> out.println("STALLED: " + stall));
    missed.forEach(miss -> out.println("MISSED: " + miss));
    if (missed.isEmpty() && wrongs.isEmpty()) {
      out.println("All targets are met.");
    }
    out.flush();
    return missed.isEmpty() && wrongs.isEmpty() ? 0 : 1;
  }

  private List<RateCase> chosen() {
    if (cases.isEmpty()) {
      return RateCase.ALL;
    }
    List<RateCase> chosen =
        RateCase.ALL.stream().filter(each -> cases.contains(each.option())).toList();
    if (chosen.size() < cases.size()) {
      throw wrong("--case must be one of " + RateCase.ALL.stream().map(RateCase::option).toList());
    }
    return chosen;
  }

  /** One of the two clusters and its clients. */
  private record Side(Cluster cluster, ConsumerLoop consumer, RemoteWakes waking, boolean udp)
      implements AutoCloseable {
    Side(Cluster cluster, EventLoop loop, Duration limit, boolean udp) {
      this(cluster, new ConsumerLoop(cluster, loop, limit), new RemoteWakes(cluster, loop), udp);
    }

    @Override
    public void close() {
      consumer.close();
      waking.close();
    }
  }

  private void measure(List<Side> sides) {
    if (!quick) {
      sides.forEach(this::warmUp);
    }
    int all = quick ? 1 : rounds;
    for (int round = 1; round <= all; round++) {
      // Each comes first as often as the other.
      List<Side> inTurn = round % 2 == 0 ? sides : List.of(sides.get(1), sides.get(0));
      rates(round, inTurn);
      for (RemoteWakes.Cause cause : RemoteWakes.Cause.values()) {
        int count = quick ? QUICK_WAKES : Math.min(wakes, Math.max(1, wakes / all));
        if (count > 0) {
          inTurn.forEach(side -> side.waking().run(cause, count, table.wakes(cause, side.udp())));
        }
      }
    }
    costs(sides);
    sides.forEach(side -> wrongs.addAll(side.waking().wrongs()));
  }

  /** In turn only: a broker that has done more than others is faster for that reason. */
  private void warmUp(Side side) {
    say("warm-up, UDP " + (side.udp() ? "on" : "off"));
    long end = System.nanoTime() + WARM_UP.toNanos();
    while (System.nanoTime() < end) {
      table.cases().forEach(what -> side.consumer().run(what, Route.ROUND_ROBIN, messages));
    }
    for (RemoteWakes.Cause cause : RemoteWakes.Cause.values()) {
      side.waking().run(cause, WARM_UP_WAKES, new Histogram(3));
    }
  }

  /** Figures that are divided by each other are measured close to each other. */
  private void rates(int round, List<Side> sides) {
    for (RateCase what : table.cases()) {
      StringBuilder seen = new StringBuilder("round %d, %s:".formatted(round, what.text()));
      for (Route route : Route.values()) {
        for (Side side : sides) {
          double rate = rate(what, route, side);
          seen.append(String.format(Locale.ROOT, " %s %.0f", side.udp() ? "on" : "off", rate));
        }
      }
      say(seen.toString());
    }
  }

  private double rate(RateCase what, Route route, Side side) {
    int count = quick ? QUICK_MESSAGES : messages;
    ConsumerLoop.Outcome outcome = side.consumer().run(what, route, count);
    table.add(what, route, side.udp(), outcome.rate());
    outcome.wrongs().forEach(wrong -> wrongs.add(route.text() + ": " + wrong));
    if (outcome.acked() < count) {
      stalls.add(
          String.format(
              Locale.ROOT,
              "%s, %s, UDP %s: only %d of %d messages in %.0f s",
              what.text(),
              route.text(),
              side.udp() ? "on" : "off",
              outcome.acked(),
              count,
              outcome.seconds()));
    }
    return outcome.rate();
  }

  /**
   * Statements and packets of a message. They hardly depend on how busy the machine is, and show
   * what a rate does not.
   */
  private void costs(List<Side> sides) {
    int count = quick ? QUICK_MESSAGES : messages;
    for (RateCase what : table.cases()) {
      for (Route route : Route.values()) {
        for (Side side : sides) {
          double statements = statements(side);
          double packets = packets(side);
          double acked = Math.max(1, side.consumer().run(what, route, count).acked());
          // Messages about leases are sent a little later.
          Blocking.sleep(LAST_PACKETS);
          table.costs(
              what,
              route,
              side.udp(),
              (statements(side) - statements) / acked,
              (packets(side) - packets) / acked);
        }
      }
      say("counted, " + what.text());
    }
  }

  private static double statements(Side side) {
    return side.cluster().urls().stream().mapToDouble(SharedState::statements).sum();
  }

  private static double packets(Side side) {
    return side.cluster().urls().stream()
        .mapToDouble(url -> SharedState.of(url).numbers().getOrDefault(Usage.PACKETS, 0.0))
        .sum();
  }
}
