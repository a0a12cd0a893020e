package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.PostgresOptions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench store}. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description =
        "Compares the store with plain tables, in ratios: one connection, 110-byte payloads,"
            + " deduplication on. Exits with 1 if a ratio misses its target.")
public final class StoreBench implements Callable<Integer> {

  /** Parts of the benchmark. */
  enum Part {
    DENSE,
    SPARSE,
    POP,
    FLAT,
    SPACE
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--quick",
      description = "A small run, to see that it works: figures mean little.")
  private boolean quick;

  @Option(
      names = "--only",
      split = ",",
      description = "Only these parts: ${COMPLETION-CANDIDATES}.")
  private Set<Part> only = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Rounds that count (default: ${DEFAULT-VALUE}).")
  private int rounds = 15;

  @Option(
      names = "--messages",
      description = "How many stored messages are many (default: ${DEFAULT-VALUE}).")
  private long messages = 10_000_000;

  @Option(names = "--seed", description = "Of the random content (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  /** Made by picocli. */
  public StoreBench() {}

  @Override
  public Integer call() {
    Report report = new Report(spec.commandLine().getOut());
    Scale scale = quick ? Scale.quick(seed) : Scale.full(seed, rounds, messages);
    try (BenchPostgres postgres = BenchPostgres.start(postgresOptions, Map.of())) {
      BenchDatabase database = postgres.createDatabase("store_bench");
      MachineReport.print(spec.commandLine().getOut(), database);
      database.query("create schema bench");
      if (only.contains(Part.DENSE)) {
        new PushBench(database, scale, report).dense();
      }
      if (only.contains(Part.SPARSE)) {
        new PushBench(database, scale, report).sparse();
      }
      if (only.contains(Part.POP)) {
        new PopAckBench(database, scale, report).run();
      }
      if (only.contains(Part.FLAT)) {
        new FlatBench(postgres, scale, report).run();
      }
      if (only.contains(Part.SPACE)) {
        new SpaceBench(postgres, scale, report).run();
      }
    }
    report.line(
        "%n%s", report.missed().isEmpty() ? "All targets met." : "MISSED: " + report.missed());
    return report.missed().isEmpty() ? 0 : 1;
  }
}
