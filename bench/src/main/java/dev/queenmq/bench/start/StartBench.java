package dev.queenmq.bench.start;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.Statistics;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.JarOptions;
import dev.queenmq.bench.broker.JavaOptions;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.http.EndToEndMeasurement;
import dev.queenmq.bench.http.Generator;
import dev.queenmq.bench.http.Plan;
import dev.queenmq.bench.http.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench start}. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description =
        "Starts a broker on a new folder and again on the same folder, in turn: how long it takes"
            + " from the start of the process to the first answer, and how long messages take from"
            + " then on, pushed, popped and acked one at a time while nothing is warm. Exits with 1 if a message failed. Uses what"
            + " ./queen prepare (with Java 25 or newer) or ./queen server keeps beside the jar, if it is there.")
public final class StartBench extends BenchCommand {
  private static final Pattern ARCHIVE = Pattern.compile("-XX:(?:SharedArchiveFile|AOTCache)=(.+)");
  private static final int CONNECTIONS = 20;
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final double NANOS = 1e9;

  @Mixin private JarOptions brokers = new JarOptions();

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "The jar of another broker, which is measured in turn with the first.")
  private Optional<Path> against = Optional.empty();

  @Option(
      names = "--rounds",
      description = "How often, after one that does not count (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      description = "Of load after each start (default: ${DEFAULT-VALUE}).")
  private int seconds = 30;

  @Option(names = "--rate", description = "Messages a second (default: ${DEFAULT-VALUE}).")
  private double rate = 500;

  @Option(names = "--quick", description = "A small run, to see that it works.")
  private boolean quick;

  @Mixin private JsonLines json = new JsonLines();

  /** On which data a broker starts. */
  private enum Data {
    NEW,
    EXISTING
  }

  @Override
  public Integer call() {
    Map<Path, Map<Data, List<ColdStart>>> found = new LinkedHashMap<>();
    List<Path> jars = new ArrayList<>(List.of(brokers.jar()));
    against.ifPresent(jars::add);
    for (Path jar : jars) {
      say(
          jar
              + kept(jar)
                  .map(file -> ", with " + file.getFileName())
                  .orElse(", without an archive"));
    }
    Duration length = quick ? Duration.ofSeconds(1) : Duration.ofSeconds(seconds);
    if (!quick) {
      say("warm-up of the generator");
      round(jars.get(0), length.compareTo(FIRST) > 0 ? FIRST : length);
    }
    for (int round = 1; round <= (quick ? 1 : rounds); round++) {
      for (Path jar : jars) {
        say("round %d, %s".formatted(round, jar.getFileName()));
        round(jar, length)
            .forEach(
                (data, start) -> {
                  json.add(
                      out(),
                      start.json(
                          jar.getFileName().toString(), data.name().toLowerCase(Locale.ROOT)));
                  found
                      .computeIfAbsent(jar, other -> new EnumMap<>(Data.class))
                      .computeIfAbsent(data, other -> new ArrayList<>())
                      .add(start);
                });
      }
    }
    return print(found) ? 0 : 1;
  }

  private Optional<Path> kept(Path jar) {
    return options(jar).stream()
        .map(ARCHIVE::matcher)
        .filter(Matcher::matches)
        .map(option -> Path.of(option.group(1)))
        .findFirst();
  }

  private List<String> options(Path jar) {
    return JavaOptions.asLaunched(brokers.settings().getOrDefault(JavaOptions.VARIABLE, ""), jar);
  }

  private Map<Data, ColdStart> round(Path jar, Duration length) {
    Map<Data, ColdStart> starts = new EnumMap<>(Data.class);
    try (TemporaryFolder folder = TemporaryFolder.in(postgres().parent())) {
      for (Data data : Data.values()) {
        starts.put(data, start(jar, folder.path(), length));
      }
    }
    return starts;
  }

  private ColdStart start(Path jar, Path folder, Duration length) {
    Map<String, String> environment = new LinkedHashMap<>(brokers.settings());
    environment.remove(JavaOptions.VARIABLE);
    postgres().binFolder().ifPresent(bin -> environment.put("QUEEN_PG_BIN", bin.toString()));
    long began = System.nanoTime();
    try (BrokerProcess broker = BrokerProcess.launchIn(folder, jar, options(jar), environment)) {
      FirstAnswer.await(broker);
      double took = (System.nanoTime() - began) / NANOS;
      try (Generator generator =
          new Generator(
              broker.url(),
              new ProcessTree(List.of(broker.process().pid())),
              Plan.plain(length, CONNECTIONS, "start"),
              err())) {
        AtomicReference<Histogram> first = new AtomicReference<>(new Histogram(1));
        Result result =
            new EndToEndMeasurement(generator)
                .runCold(rate, FIRST.compareTo(length) < 0 ? FIRST : length, first::set);
        return new ColdStart(took, result, Objects.requireNonNull(first.get()));
      }
    }
  }

  /** Whether every message was taken and delivered. */
  private boolean print(Map<Path, Map<Data, List<ColdStart>>> found) {
    out()
        .printf(
            Locale.ROOT,
            "%nMedians; first: the first %d s; share: of the slowest 1 %% that is in them%n%-32s %s%n",
            FIRST.toSeconds(),
            "",
            ColdStart.HEADING);
    found.forEach(
        (jar, all) ->
            all.forEach(
                (data, starts) ->
                    out()
                        .printf(
                            Locale.ROOT,
                            "%-32s %9.2f %9.2f %9.2f %9.2f %12.2f %12.2f %9.2f%n",
                            jar.getFileName() + ", " + data.name().toLowerCase(Locale.ROOT),
                            median(starts, ColdStart::seconds),
                            median(starts, each -> each.result().millis(50)),
                            median(starts, each -> each.result().millis(99)),
                            median(starts, each -> each.result().millis(100)),
                            median(starts, each -> each.firstMillis(50)),
                            median(starts, each -> each.firstMillis(99)),
                            median(starts, ColdStart::share))));
    long errors =
        found.values().stream()
            .flatMap(all -> all.values().stream())
            .flatMap(List::stream)
            .mapToLong(each -> each.result().errors())
            .sum();
    out().printf("%d errors%n", errors);
    out().flush();
    return errors == 0;
  }

  private static double median(List<ColdStart> starts, ToDoubleFunction<ColdStart> figure) {
    return Statistics.median(starts.stream().map(figure::applyAsDouble).toList());
  }
}
