package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.PostgresOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description =
        "Producers and consumers who lose answers, die and repeat themselves, on two brokers;"
            + " counts what the store did wrong. Exits with 1 if it did anything wrong.")
public final class Audit implements Callable<Integer> {
  private static final int SECONDS = 60;
  private static final int SECONDS_PER_KILL = 6;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: 60, or 6 for each kill).")
  private Optional<Integer> seconds = Optional.empty();

  @Option(names = "--producers", description = "Default: ${DEFAULT-VALUE}.")
  private int producers = 8;

  @Option(names = "--consumers", description = "Default: ${DEFAULT-VALUE}.")
  private int consumers = 12;

  @Option(names = "--partitions", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions = 20;

  @Option(
      names = "--groups",
      description =
          "Consumer groups (default: ${DEFAULT-VALUE}); one that works in transactions and one with"
              + " autoAck come on top.")
  private int groups = 2;

  @Option(
      names = "--seed",
      description = "Of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  @Option(names = "--kill-postgres", description = "Kill -9 PostgreSQL so many times meanwhile.")
  private int kills;

  /** Made by picocli. */
  public Audit() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Duration duration =
        Duration.ofSeconds(seconds.orElse(Math.max(SECONDS, kills * SECONDS_PER_KILL)));
    try (BenchPostgres postgres = BenchPostgres.start(postgresOptions, Map.of())) {
      MachineReport.print(out, postgres.database("postgres"));
      AuditReport report =
          new AuditRun(
                  postgres,
                  "audit",
                  new AuditSettings(
                      duration, 0, producers, consumers, partitions, groups, seed, kills))
              .run();
      report.print(out);
      return report.violations().total() == 0 ? 0 : 1;
    }
  }
}
