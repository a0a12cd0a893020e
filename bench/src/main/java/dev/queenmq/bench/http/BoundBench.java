package dev.queenmq.bench.http;

import com.sun.management.OperatingSystemMXBean;
import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.Statistics;
import dev.queenmq.bench.bound.BoundProcess;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.CompilerThreads;
import dev.queenmq.bench.broker.ProcessTree;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench bound}. */
@Command(
    name = "bound",
    mixinStandardHelpOptions = true,
    description =
        "Measures the broker and the smallest broker with the same guarantees, in turn: what share"
            + " of what HTTP and PostgreSQL allow here is reached. Exits with 1 if a share is below"
            + " its target.")
public final class BoundBench extends BenchCommand {
  private static final int MOST_WARM_UPS = 8;

  /** Cores that compilers may take in a warm-up that is the last. */
  private static final double STILL_COMPILING = 0.05;

  private static final int POP_CONNECTIONS = 20;
  private static final double TARGET = 0.75;
  private static final double NANOS = 1e9;

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(names = "--rounds", description = "How often (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 4;

  @Option(names = "--quick", description = "A small run, to see that it works.")
  private boolean quick;

  @Option(names = "--only", description = "Only workloads whose name contains this.")
  private String only = "";

  @Mixin private JsonLines json = new JsonLines();

  /** What a workload gave on both in one round. */
  private record Pair(Measured ours, Measured bound) {}

  /**
   * A measurement.
   *
   * @param generatorCores how many cores the generator took meanwhile
   */
  private record Measured(Result result, double generatorCores) {}

  @Override
  public Integer call() {
    Duration length = quick ? Duration.ofMillis(400) : Duration.ofSeconds(seconds);
    List<BoundRow> rows =
        BoundRow.all(length).stream().filter(row -> row.title().contains(only)).toList();
    List<List<Pair>> pairs = rows.stream().<List<Pair>>map(row -> new ArrayList<>()).toList();
    try (BrokerProcess ours = brokerOptions.start(postgres());
        BrokerProcess bound = BoundProcess.start(postgres());
        Generator onOurs = generator(ours, length);
        Generator onBound = generator(bound, length)) {
      warmUp(onOurs, new CompilerThreads(ours.process().pid()));
      warmUp(onBound, new CompilerThreads(bound.process().pid()));
      for (int round = 0; round < (quick ? 1 : rounds); round++) {
        for (int i = 0; i < rows.size(); i++) {
          say("round %d, %s".formatted(round + 1, rows.get(i).title()));
          // Each goes first in turn.
          boolean oursFirst = round % 2 == 0;
          Measured first = measure(rows.get(i), oursFirst ? onOurs : onBound, oursFirst);
          Measured second = measure(rows.get(i), oursFirst ? onBound : onOurs, !oursFirst);
          pairs.get(i).add(oursFirst ? new Pair(first, second) : new Pair(second, first));
        }
      }
    }
    return print(rows, pairs) ? 0 : 1;
  }

  private Generator generator(BrokerProcess broker, Duration length) {
    Plan plan = Plan.plain(length, POP_CONNECTIONS, "bound");
    return new Generator(
        broker.url(),
        new ProcessTree(List.of(broker.process().pid())),
        plan,
        new PrintWriter(PrintWriter.nullWriter()));
  }

  /**
   * Until little is left to compile: a compiler that is at work takes up to a core from all others.
   * All kinds of work, since polls that wait run other code than those that find a backlog.
   */
  private void warmUp(Generator generator, CompilerThreads compilers) {
    for (int pass = 1; !quick && pass <= MOST_WARM_UPS; pass++) {
      double cpu = compilers.cpuSeconds();
      long began = System.nanoTime();
      for (int batch : new int[] {1, 10, 100}) {
        new PushMeasurement(generator).run(batch, 50, 50);
        new PopMeasurement(generator, batch).run(List.of(""));
      }
      new BothMeasurement(generator, 10).run();
      new EndToEndMeasurement(generator).run(500, 1, List.of(""), Duration.ZERO);
      double cores = (compilers.cpuSeconds() - cpu) / ((System.nanoTime() - began) / NANOS);
      say("warm-up %d: compilers took %.2f cores".formatted(pass, cores));
      if (cores < STILL_COMPILING) {
        return;
      }
    }
  }

  private Measured measure(BoundRow row, Generator generator, boolean ours) {
    double cpu = ownCpuSeconds();
    long began = System.nanoTime();
    Result result = row.work().apply(generator);
    double cores = (ownCpuSeconds() - cpu) / ((System.nanoTime() - began) / NANOS);
    String line =
        "{\"broker\":\"%s\",\"row\":\"%s\",%s"
            .formatted(ours ? "queen" : "bound", row.title(), result.json().substring(1));
    json.add(out(), line);
    return new Measured(result, cores);
  }

  private static double ownCpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / NANOS;
  }

  /** Whether every target was met. */
  private boolean print(List<BoundRow> rows, List<List<Pair>> pairs) {
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "%n%-40s %22s %22s %13s %13s %9s %6s  %s%n",
        "medians",
        "messages/s ours/bound",
        "p50/p99 ms ours",
        "p50/p99 bound",
        "cores o/b",
        "generator",
        "share",
        "of each round");
    boolean passed = true;
    for (int i = 0; i < rows.size(); i++) {
      boolean latency = rows.get(i).latency();
      List<Pair> all = pairs.get(i);
      List<Double> shares = all.stream().map(pair -> share(pair, latency)).toList();
      double share = Statistics.median(shares);
      passed &= share >= TARGET;
      Pair middle = all.get(all.size() / 2);
      out.printf(
          Locale.ROOT,
          "%-40s %10.0f/%10.0f %12.2f/%8.2f %7.2f/%7.2f %5.2f/%5.2f %9.2f %6.2f  %s%n",
          rows.get(i).title(),
          Statistics.median(all.stream().map(pair -> pair.ours().result().rate()).toList()),
          Statistics.median(all.stream().map(pair -> pair.bound().result().rate()).toList()),
          middle.ours().result().millis(50),
          middle.ours().result().millis(99),
          middle.bound().result().millis(50),
          middle.bound().result().millis(99),
          cores(middle.ours().result()),
          cores(middle.bound().result()),
          middle.ours().generatorCores(),
          share,
          shares.stream().map(each -> String.format(Locale.ROOT, "%.2f", each)).toList());
    }
    out.printf(
        Locale.ROOT,
        "%nShare: messages/s to the bound's; at a given rate the bound's p50 to ours. %s%n",
        passed ? "All reach " + TARGET + "." : "MISSED: not all reach " + TARGET + ".");
    out.flush();
    return passed;
  }

  private static double share(Pair pair, boolean latency) {
    Result ours = pair.ours().result();
    Result bound = pair.bound().result();
    return latency ? bound.millis(50) / ours.millis(50) : ours.rate() / bound.rate();
  }

  private static double cores(Result result) {
    return result.cpuSeconds() / result.seconds();
  }
}
