package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.Report;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench store}. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description =
        "Compares the store with plain tables, in ratios: one connection, 110-byte payloads,"
            + " deduplication on. Exits with 1 if a ratio misses its target.")
public final class StoreBench extends BenchCommand {

  /** Parts of the benchmark. */
  enum Part {
    DENSE,
    SPARSE,
    POP,
    FLAT,
    SPACE
  }

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

  @Option(names = "--seed", description = "Seed of the random content (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Override
  public Integer call() {
    Report report = new Report(out());
    Scale scale = quick ? Scale.quick(seed) : Scale.full(seed, rounds, messages);
    try (BenchPostgres postgres = BenchPostgres.start(postgres(), Map.of())) {
      BenchDatabase database = postgres.createDatabase("store_bench");
      MachineReport.print(out(), database);
      database.query("create schema bench");
      Races races = new Races(database, scale, report);
      for (Part part : only) {
        switch (part) {
          case DENSE -> races.dense();
          case SPARSE -> races.sparse();
          case POP -> races.popAndAck();
          case FLAT -> FlatSide.compare(postgres, scale, report);
          case SPACE -> Races.space(postgres, scale, report);
        }
      }
    }
    report.line(
        "%n%s", report.missed().isEmpty() ? "All targets met." : "MISSED: " + report.missed());
    return report.missed().isEmpty() ? 0 : 1;
  }
}
