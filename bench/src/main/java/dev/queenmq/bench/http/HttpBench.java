package dev.queenmq.bench.http;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.store.RowRate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench http}. */
@Command(
    name = "http",
    mixinStandardHelpOptions = true,
    description =
        "Measures a broker through HTTP: rates, latencies, and messages per CPU-second. With a"
            + " broker of its own it also compares with a plain table of rows, and exits with 1 if"
            + " a target is missed.")
public final class HttpBench implements Callable<Integer> {
  /** The usual rate of the end-to-end measurement, which has a target. */
  static final double RATE = 2000;

  /** That of a quick run, which only shows that everything works, on however slow a machine. */
  static final double QUICK_RATE = 200;

  private static final Duration ROW_LENGTH = Duration.ofSeconds(4);
  private static final Duration QUICK_LENGTH = Duration.ofMillis(400);
  private static final int WARM_UP_SHARE = 5;

  /** Parts of the benchmark. */
  enum Part {
    PUSH,
    POP,
    E2E,
    FANOUT,
    WAKE
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--only",
      split = ",",
      description = "Only these parts: ${COMPLETION-CANDIDATES}.")
  private Set<Part> only = EnumSet.allOf(Part.class);

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

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Appends a line of JSON for each measurement.")
  private Optional<Path> json = Optional.empty();

  private final List<Result> results = new ArrayList<>();

  /** Made by picocli. */
  public HttpBench() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Optional<BrokerUrl> given = brokerOptions.url();
    List<String> missed = new ArrayList<>();
    if (given.isPresent()) {
      measure(given.get(), pids, true);
      printTable(out);
    } else {
      double before = rowRate();
      try (BrokerProcess broker = brokerOptions.start(postgresOptions)) {
        measure(brokerOptions.authorized(broker.url()), List.of(broker.pid()), false);
      }
      double after = rowRate();
      printTable(out);
      missed.addAll(new Targets(out, results, (before + after) / 2).check());
    }
    results.stream()
        .filter(result -> result.messages() == 0)
        .forEach(result -> missed.add(result.title()));
    out.printf("%n%s%n", missed.isEmpty() ? "Done." : "MISSED: " + missed);
    out.flush();
    return missed.isEmpty() ? 0 : 1;
  }

  private double rowRate() {
    tell("row per message, on a PostgreSQL of its own ...");
    return RowRate.measure(postgresOptions, quick ? QUICK_LENGTH : ROW_LENGTH);
  }

  private void measure(BrokerUrl url, List<Long> processes, boolean tidy) {
    tell("broker at " + url);
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
            "bench-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX));
    try (Generator generator =
        new Generator(url, new ProcessTree(processes), plan, spec.commandLine().getErr())) {
      Parts parts = new Parts(generator, quick, rate.orElse(quick ? QUICK_RATE : RATE));
      tell("warm-up");
      parts.warmUp();
      Consumer<Result> keep = this::keep;
      for (Part part : only) {
        switch (part) {
          case PUSH -> parts.push(keep);
          case POP -> parts.pop(keep);
          case E2E -> parts.endToEnd(keep);
          case FANOUT -> parts.fanOut(keep);
          case WAKE -> parts.wake(keep);
        }
      }
      if (tidy) {
        parts.deleteQueues();
      }
    }
  }

  private void keep(Result result) {
    results.add(result);
    String line = result.json();
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
    if (result.errors() > 0) {
      tell("  " + result.errors() + " errors, the first: " + result.firstError());
    }
    if (json.isPresent()) {
      try {
        Files.writeString(
            json.get(),
            line + "\n",
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void printTable(PrintWriter out) {
    out.printf("%n%s%n", Result.HEADING);
    results.forEach(result -> out.println(result.row()));
    out.flush();
  }

  private void tell(String text) {
    spec.commandLine().getErr().println(text);
    spec.commandLine().getErr().flush();
  }
}
