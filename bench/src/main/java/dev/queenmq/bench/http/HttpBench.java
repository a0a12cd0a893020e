package dev.queenmq.bench.http;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.Report;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.store.RowRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench http}. */
@Command(
    name = "http",
    mixinStandardHelpOptions = true,
    description =
        "Measures a broker through HTTP: rates, latencies, and messages per CPU-second. With a"
            + " broker of its own it also compares with a plain table of rows, and exits with 1 if"
            + " a target is missed.")
public final class HttpBench extends BenchCommand {
  /** The usual rate of the end-to-end measurement, which has a target. */
  static final double RATE = 2000;

  /** That of a quick run, which only shows that everything works, on however slow a machine. */
  static final double QUICK_RATE = 200;

  private static final Duration ROW_LENGTH = Duration.ofSeconds(4);
  private static final Duration QUICK_LENGTH = Duration.ofMillis(400);
  private static final int WARM_UP_SHARE = 5;
  private static final int GROUPS = 10;
  private static final int SEVERAL_QUEUES = 8;
  private static final int QUEUE_PARTITIONS = 50;
  private static final List<Integer> BATCHES = List.of(1, 10, 100);

  /**
   * What both machines need at a given rate, until all of the code that takes part has been
   * compiled and what the parts before have left is written.
   */
  private static final Duration COMPILED = Duration.ofSeconds(20);

  /** Parts of the benchmark. */
  enum Part {
    PUSH,
    POP,
    E2E,
    FANOUT,
    WAKE,
    QUEUES
  }

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(
      names = "--only",
      split = ",",
      description = "Only these parts: ${COMPLETION-CANDIDATES} (default: all but QUEUES).")
  private Set<Part> only = EnumSet.complementOf(EnumSet.of(Part.QUEUES));

  @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 10;

  @Option(
      names = "--connections",
      description = "Instead of 200 for single pushes, 16 for batches, 64 end to end.")
  private Optional<Integer> connections = Optional.empty();

  @Option(
      names = "--rate",
      description =
          "Messages per second, sent whatever comes back, with latencies from the moment at which"
              + " each was due (default: 2000 end to end; pushes go as fast as answers come).")
  private Optional<Double> rate = Optional.empty();

  @Option(
      names = "--spread",
      description = "The messages of one push go to different partitions, not to one.")
  private boolean spread;

  @Option(
      names = "--threads",
      description = "Event loops that make the load (default: ${DEFAULT-VALUE}).")
  private int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

  @Option(
      names = "--pid",
      split = ",",
      description =
          "With --url: processes of the broker and its database, whose CPU time and memory are read"
              + " with those of their children.")
  private List<Long> pids = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "A small run, to see that it works: figures mean little.")
  private boolean quick;

  @Mixin private JsonLines json = new JsonLines();

  private final List<Result> results = new ArrayList<>();

  @Override
  public Integer call() {
    if (rate.isPresent() && only.contains(Part.QUEUES)) {
      throw wrong("--only QUEUES compares how fast pushes are answered: leave out --rate");
    }
    Optional<BrokerUrl> given = brokerOptions.url();
    Report report = new Report(out());
    if (given.isPresent()) {
      measure(given.get(), pids, true);
      printTable(report);
    } else {
      double before = rowRate();
      try (BrokerProcess broker = brokerOptions.start(postgres())) {
        List<Long> pid = List.of(broker.process().pid());
        measure(brokerOptions.authorized(broker.url()), pid, false);
      }
      double after = rowRate();
      printTable(report);
      judge(report, (before + after) / 2);
    }
    results.forEach(result -> report.miss(result.messages() == 0, result.title()));
    out().println();
    return conclude(report.missed());
  }

  private double rowRate() {
    say("row per message, on a PostgreSQL of its own ...");
    return RowRate.measure(postgres(), quick ? QUICK_LENGTH : ROW_LENGTH);
  }

  private void measure(BrokerUrl url, List<Long> processes, boolean tidy) {
    say("broker at " + url);
    Duration length = quick ? QUICK_LENGTH : Duration.ofSeconds(seconds);
    Plan plan =
        new Plan(
            length,
            length.dividedBy(WARM_UP_SHARE),
            Math.max(1, threads),
            connections,
            rate,
            spread,
            PushMaker.PAYLOAD_BYTES,
            Plan.newName("bench"));
    try (Generator generator = new Generator(url, new ProcessTree(processes), plan, err())) {
      if (!quick) {
        // Broker and generator get warm, which takes more than any single warm-up.
        say("warm-up");
        new PushMeasurement(generator).run(1, 50);
        new PopMeasurement(generator).run(List.of(""));
      }
      only.forEach(part -> measure(part, generator));
      if (tidy) {
        generator.deleteQueues();
      }
    }
  }

  private void measure(Part part, Generator generator) {
    double perSecond = rate.orElse(quick ? QUICK_RATE : RATE);
    Duration compiled = quick ? generator.plan().warmUp() : COMPILED;
    List<String> groups = IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList();
    switch (part) {
      case PUSH -> {
        for (int batch : BATCHES) {
          for (int partitions : quick ? new int[] {50} : new int[] {1, 50, 1000}) {
            keep(new PushMeasurement(generator).run(batch, partitions));
          }
        }
      }
      case POP -> keep(new PopMeasurement(generator).run(List.of("")));
      case E2E -> keep(new EndToEndMeasurement(generator).run(perSecond, 1, List.of(""), compiled));
      case FANOUT -> {
        keep(new PopMeasurement(generator).run(groups));
        keep(new EndToEndMeasurement(generator).run(perSecond / GROUPS, 1, groups, compiled));
      }
      case WAKE -> {
        for (int waiters : quick ? new int[] {1, 20} : new int[] {1, 100, 1000}) {
          keep(new WakeMeasurement(generator).run(waiters, compiled));
        }
      }
      case QUEUES -> {
        for (int batch : BATCHES) {
          for (int queues : new int[] {1, SEVERAL_QUEUES, SEVERAL_QUEUES, 1}) {
            keep(new PushMeasurement(generator).runTo(queues, batch, QUEUE_PARTITIONS));
          }
        }
      }
    }
  }

  private void keep(Result result) {
    results.add(result);
    json.add(out(), result.json());
    if (result.errors() > 0) {
      say("  " + result.errors() + " errors, the first: " + result.firstError());
    }
  }

  private void printTable(Report report) {
    report.heading(Result.HEADING);
    results.forEach(result -> report.line("%s", result.row()));
    if (only.contains(Part.QUEUES)) {
      for (int batch : BATCHES) {
        report.line(
            "one queue to %d, batch %d: %.2f",
            SEVERAL_QUEUES,
            batch,
            rate(PushMeasurement.name(batch, QUEUE_PARTITIONS))
                / rate(PushMeasurement.name(batch, QUEUE_PARTITIONS, SEVERAL_QUEUES)));
      }
    }
  }

  private double rate(String title) {
    return results.stream()
        .filter(result -> result.title().equals(title))
        .mapToDouble(Result::rate)
        .average()
        .orElse(Double.NaN);
  }

  /** Holds results to what was promised, in units of the row-per-message push rate. */
  private void judge(Report report, double rowRate) {
    report.line("%nR = %.0f messages/s, a row each (before and after, mean)", rowRate);
    ratio(report, PushMeasurement.name(100, 50), 1.5, rowRate);
    ratio(report, PopMeasurement.name(100, 1), 1.2, rowRate);
    ratio(report, PushMeasurement.name(1, 50), 0.15, rowRate);
    find(EndToEndMeasurement.name(RATE, 1))
        .ifPresent(
            result ->
                report.check(
                    result.title() + ", p99",
                    String.format(Locale.ROOT, "%.2f ms", result.millis(99)),
                    "<= 25 ms",
                    result.messages() > 0 && result.millis(99) <= 25));
  }

  private void ratio(Report report, String title, double target, double rowRate) {
    find(title)
        .ifPresent(
            result ->
                report.check(
                    title,
                    String.format(Locale.ROOT, "%.2f R", result.rate() / rowRate),
                    String.format(Locale.ROOT, ">= %.2f R", target),
                    result.rate() >= target * rowRate));
  }

  private Optional<Result> find(String title) {
    return results.stream().filter(result -> result.title().equals(title)).findFirst();
  }
}
