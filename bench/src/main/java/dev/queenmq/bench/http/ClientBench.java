package dev.queenmq.bench.http;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.Report;
import dev.queenmq.bench.Statistics;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench client}. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description =
        "Measures a broker through the Java client and through the generator of bench http, in"
            + " turn, with the same batches and the same number of workers. The generator sends"
            + " each push in a request of its own; the client lets single messages that meet share"
            + " one, unless the row says 'alone'. Exits with 1 if the client reaches less than 0.8"
            + " of the generator's rate; rows with 'alone' do not count.")
public final class ClientBench extends BenchCommand {
  private static final double TARGET = 0.8;
  private static final int PARTITIONS = 50;
  private static final Duration QUICK_LENGTH = Duration.ofMillis(300);
  private static final int WARM_UP_SHARE = 4;

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(
      names = "--rounds",
      description = "How often each is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(names = "--quick", description = "A small run, to see that it works.")
  private boolean quick;

  @Option(names = "--only", description = "Only workloads whose name contains this.")
  private String only = "";

  @Mixin private JsonLines json = new JsonLines();

  /** What both do, and through which client. */
  private record Workload(
      String title, ClientTarget client, boolean counts, Function<LoadTarget, Result> run) {}

  /**
   * The rates of a workload, round by round, and how many messages a push of the client carried.
   */
  private record Rates(List<Double> generator, List<Double> client, List<Double> perRequest) {
    double ratio() {
      return Statistics.median(client) / Statistics.median(generator);
    }
  }

  @Override
  public Integer call() {
    Optional<BrokerUrl> given = brokerOptions.url();
    if (given.isPresent()) {
      return measure(given.get(), List.of());
    }
    try (BrokerProcess broker = brokerOptions.start(postgres())) {
      return measure(broker.url(), List.of(broker.process().pid()));
    }
  }

  private int measure(BrokerUrl url, List<Long> processes) {
    Duration length = quick ? QUICK_LENGTH : Duration.ofSeconds(seconds);
    Plan plan =
        new Plan(
            length,
            length.dividedBy(WARM_UP_SHARE),
            1,
            Optional.empty(),
            Optional.empty(),
            false,
            PushMaker.PAYLOAD_BYTES,
            Plan.newName("client"));
    Map<Workload, Rates> rates = new LinkedHashMap<>();
    try (Generator generator = new Generator(url, new ProcessTree(processes), plan, err())) {
      List<Workload> workloads = new ArrayList<>(workloads(generator));
      workloads.removeIf(workload -> !workload.title().contains(only));
      // The first round warms up both machines, and does not count.
      for (int round = quick ? 1 : 0; round <= (quick ? 1 : rounds); round++) {
        for (Workload workload : workloads) {
          Rates here =
              rates.computeIfAbsent(
                  workload,
                  first -> new Rates(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
          // Each goes first in turn.
          List<LoadTarget> order =
              round % 2 == 0
                  ? List.of(generator, workload.client())
                  : List.of(workload.client(), generator);
          for (LoadTarget target : order) {
            Result result = workload.run().apply(target);
            if (result.errors() > 0) {
              say("  " + result.errors() + " errors, the first: " + result.firstError());
            }
            if (round > 0) {
              (target == generator ? here.generator() : here.client()).add(result.rate());
              json.append(result.json());
            }
          }
          here.perRequest().add(workload.client().pushedPerRequest());
        }
      }
    }
    return print(rates);
  }

  private List<Workload> workloads(Generator generator) {
    List<Workload> workloads = new ArrayList<>();
    for (int batch : quick ? new int[] {10} : new int[] {1, 10, 100}) {
      String title = PushMeasurement.name(batch, PARTITIONS);
      Function<LoadTarget, Result> push =
          target -> new PushMeasurement(target).run(batch, PARTITIONS);
      workloads.add(
          new Workload(title, new ClientTarget(generator, OptionalInt.empty()), true, push));
      if (batch == 1) {
        ClientTarget alone = new ClientTarget(generator, OptionalInt.of(1));
        workloads.add(new Workload(title + ", alone", alone, false, push));
      }
    }
    for (int batch : quick ? new int[] {10} : new int[] {10, 100}) {
      workloads.add(
          new Workload(
              PopMeasurement.name(batch, 1),
              new ClientTarget(generator, OptionalInt.empty()),
              true,
              target -> new PopMeasurement(target, batch).run(List.of(""), OptionalLong.empty())));
    }
    return workloads;
  }

  private int print(Map<Workload, Rates> rates) {
    Report report = new Report(out());
    report.heading(
        String.format(
            Locale.ROOT,
            "%-36s %14s %14s %8s %18s",
            "messages/s, median",
            "generator",
            "client",
            "",
            "a push of client"));
    rates.forEach(
        (workload, each) ->
            report.line(
                "%-36s %14.0f %14.0f %8.2f %18.1f",
                workload.title(),
                Statistics.median(each.generator()),
                Statistics.median(each.client()),
                each.ratio(),
                Statistics.median(each.perRequest())));
    report.line("");
    rates.forEach(
        (workload, each) -> {
          if (workload.counts()) {
            report.check(
                workload.title(),
                String.format(Locale.ROOT, "%.2f of the generator", each.ratio()),
                String.format(Locale.ROOT, ">= %.2f", TARGET),
                each.ratio() >= TARGET);
          }
        });
    return conclude(report.missed());
  }
}
