package dev.queenmq.bench.compare;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.JarOptions;
import dev.queenmq.bench.http.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Measures this broker and what people use instead, in turn, with the same work: the bare"
            + " bound, a SKIP LOCKED table, Kafka, RabbitMQ and NATS JetStream if their Debian"
            + " packages are installed, and any URL that speaks the contract. Exits with 1 if a"
            + " measurement failed.")
public final class CompareBench extends BenchCommand {
  private static final double RATE = 2000;
  private static final double QUICK_RATE = 200;
  private static final Duration QUICK_LENGTH = Duration.ofMillis(400);

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description =
          "Only these systems (queen, bound, skip-locked, kafka, kafka-flush, rabbitmq, nats, names"
              + " given with --url) and these workloads (push-1, push-10, push-100, consume-100,"
              + " consume-1, e2e-1, e2e-10).")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--url",
      paramLabel = "NAME=URL",
      description = "A running broker that speaks the contract; may be repeated.")
  private Map<String, String> urls = new LinkedHashMap<>();

  @Mixin private JarOptions jar = new JarOptions();

  @Option(names = "--rounds", description = "How often (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds = 4;

  @Option(names = "--quick", description = "A small run, to see that it works.")
  private boolean quick;

  @Mixin private JsonLines json = new JsonLines();

  @Override
  public Integer call() {
    List<SystemUnderTest> known = known();
    Selection selection = select(known);
    PrintWriter progress = err();
    ComparisonRun run =
        new ComparisonRun(
            selection.cells(),
            quick ? 1 : rounds,
            // Else everything once before it counts, until it is compiled.
            !quick,
            quick ? QUICK_RATE : RATE,
            json,
            progress);
    List<SystemUnderTest> chosen =
        known.stream().filter(system -> selection.systems().contains(system.name())).toList();
    run.measure(
        chosen, new StartOptions(postgres(), plan(), new PrintWriter(PrintWriter.nullWriter())));
    print(run, chosen);
    return run.failures().isEmpty() ? 0 : 1;
  }

  private List<SystemUnderTest> known() {
    List<SystemUnderTest> systems = new ArrayList<>();
    systems.add(HttpSystem.queen(jar));
    systems.add(HttpSystem.bound());
    systems.add(new SkipLocked());
    int own = systems.size();
    ServiceLoader.load(PeerSystems.class).forEach(peers -> systems.addAll(peers.systems()));
    if (systems.size() == own) {
      say("without Kafka, RabbitMQ and NATS: their clients are not on the class path");
    }
    urls.forEach(
        (name, url) -> {
          if (systems.stream().anyMatch(system -> system.name().equals(name))) {
            throw wrong("--url " + name + ": that is the name of another system");
          }
          try {
            systems.add(HttpSystem.at(name, BrokerUrl.parse(url)));
          } catch (IllegalArgumentException e) {
            throw wrong("--url " + name + ": " + e.getMessage());
          }
        });
    return systems;
  }

  private Selection select(List<SystemUnderTest> known) {
    if (rounds < 1 || seconds < 1) {
      throw wrong("--rounds and --seconds must be 1 or more");
    }
    try {
      return Selection.of(only, known.stream().map(SystemUnderTest::name).toList());
    } catch (IllegalArgumentException e) {
      throw wrong("--only: " + e.getMessage());
    }
  }

  private Plan plan() {
    Duration length = quick ? QUICK_LENGTH : Duration.ofSeconds(seconds);
    return Plan.plain(length, Cell.CONSUMERS, "compare");
  }

  private void print(ComparisonRun run, List<SystemUnderTest> chosen) {
    PrintWriter out = out();
    run.lines().forEach(out::println);
    out.printf("%n%s%n", run.table().markdown());
    out.printf(
        "Medians of %d rounds of %d ms, 256-byte payloads, 50 lanes; generator and systems share"
            + " %s; JDK %s.%n",
        quick ? 1 : rounds, plan().length().toMillis(), MachineReport.machine(), Runtime.version());
    out.println(
        "To this broker: messages/s of the system to those of `queen`; end to end the p99 of"
            + " `queen` to that of the system. Above 1 the system is ahead.");
    out.println();
    chosen.stream()
        .filter(system -> run.versions().containsKey(system.name()))
        .forEach(
            system ->
                out.printf(
                    "- `%s`%s (on disk when confirmed: %s): %s%n",
                    system.name(),
                    run.versions()
                        .getOrDefault(system.name(), "")
                        .transform(version -> version.isEmpty() ? "" : " " + version),
                    system.onDisk().text(),
                    system.setup()));
    run.skipped().forEach(line -> out.println("- " + line));
    run.failures().forEach(line -> out.println("- FAILED: " + line));
    out.flush();
  }
}
