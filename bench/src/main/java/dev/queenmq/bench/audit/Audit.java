package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.MachineReport;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description =
        "Producers and consumers that lose answers, die and repeat themselves, on two brokers;"
            + " counts what the store did wrong. Exits with 1 if it did anything wrong.")
public final class Audit extends BenchCommand {
  private static final int SECONDS = 60;
  private static final int SECONDS_PER_KILL = 6;

  @Mixin private AuditOptions options = new AuditOptions(4, 20, 1);

  @Option(
      names = "--seconds",
      description = "How long messages are pushed (default: 60, or 6 for each kill).")
  private Optional<Integer> seconds = Optional.empty();

  @Option(
      names = "--groups",
      description =
          "Consumer groups (default: ${DEFAULT-VALUE}); one that works in transactions and one with"
              + " autoAck come on top.")
  private int groups = 2;

  @Option(
      names = "--seed",
      description = "Seed of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  @Option(
      names = "--kill-postgres",
      description = "How many times PostgreSQL is killed (kill -9) meanwhile.")
  private int kills;

  @Override
  public Integer call() {
    int length = seconds.orElse(Math.max(SECONDS, kills * SECONDS_PER_KILL));
    AuditSettings settings =
        options.settings(Duration.ofSeconds(length), groups, seed, ClientBehaviour.atStore());
    try (BenchPostgres postgres = BenchPostgres.start(postgres(), Map.of())) {
      MachineReport.print(out(), postgres.database("postgres"));
      AuditReport report = AuditRun.store(postgres, "audit", kills, settings, err()).run();
      report.print(out());
      return report.violations().total() == 0 ? 0 : 1;
    }
  }
}
