package dev.queenmq.bench.spool;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.broker.JavaOptions;
import dev.queenmq.embedded.PostgresAddress;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench spool-kill}. */
@Command(
    name = "spool-kill",
    mixinStandardHelpOptions = true,
    description =
        "Disturbs the line between a broker and its PostgreSQL while messages are pushed, kills the"
            + " broker (kill -9) right after it has answered that it buffered some, starts it again"
            + " and looks what comes. Over and over. Exits with 1 if a message that was"
            + " acknowledged is lost, or one comes twice, or out of its producer's order.")
public final class SpoolKill implements Callable<Integer> {
  private static final String DATABASE = "spool";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(names = "--times", description = "Kills (default: ${DEFAULT-VALUE}).")
  private int times = 200;

  @Option(names = "--producers", description = "That push at once (default: ${DEFAULT-VALUE}).")
  private int producers = 8;

  @Option(names = "--seed", description = "Of when and how; default: a new one, which is printed.")
  private long seed = System.nanoTime() % 1_000_000;

  /** Made by picocli. */
  public SpoolKill() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%d kills, %d producers, seed %d%n", times, producers, seed);
    Random random = new Random(seed);
    try (TemporaryFolder folder = TemporaryFolder.in(postgresOptions.parent());
        BenchPostgres postgres = BenchPostgres.start(postgresOptions, Map.of())) {
      new BenchDatabase(postgres.vertx(), postgres.address().withDatabase("postgres"))
          .query("create database " + DATABASE);
      try (Line line = new Line(postgres.vertx(), postgres.address());
          Victim victim =
              new Victim(
                  brokerOptions.jar(),
                  postgresOptions.parent(),
                  // Those of other runs on this machine are taken by chance.
                  FreePorts.take(1, new Random()).get(0),
                  settings(postgres.address(), line, folder))) {
        return run(out, line, victim, random);
      }
    }
  }

  private Map<String, String> settings(
      PostgresAddress postgres, Line line, TemporaryFolder folder) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("PG_HOST", "127.0.0.1");
    settings.put("PG_PORT", Integer.toString(line.port()));
    settings.put("PG_DB", DATABASE);
    settings.put("PG_USER", postgres.user());
    settings.put("PG_PASSWORD", postgres.password());
    settings.put("QUEEN_SPOOL_DIR", folder.path().resolve("spool").toString());
    settings.put("QUEEN_SPOOL_DEADLINE_MS", "500");
    // It lives for seconds only: to be there soon counts more than to be fast.
    settings.put(JavaOptions.VARIABLE, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m");
    settings.putAll(brokerOptions.settings());
    return settings;
  }

  private int run(PrintWriter out, Line line, Victim victim, Random random) {
    victim.start();
    out.println(Round.HEADINGS);
    int lost = 0;
    int twice = 0;
    int disordered = 0;
    long promised = 0;
    long buffered = 0;
    for (int i = 1; i <= times; i++) {
      Round round = Round.run(i, line, victim, producers, new Random(random.nextLong()));
      out.println(round.row());
      out.flush();
      lost += round.lost().size();
      twice += round.twice();
      disordered += round.disordered();
      promised += round.promised();
      buffered += round.buffered();
      if (!round.lost().isEmpty()) {
        out.println("LOST: " + first(round.lost()));
      }
    }
    boolean good = lost + twice + disordered == 0;
    out.printf(
        "%d messages acknowledged, %d of them buffered, in %d kills: %d lost, %d twice, %d out of"
            + " order%n",
        promised, buffered, times, lost, twice, disordered);
    out.println(good ? "Done." : "MISSED (--seed " + seed + ")");
    out.flush();
    return good ? 0 : 1;
  }

  private static List<String> first(List<String> all) {
    return all.subList(0, Math.min(all.size(), 20));
  }
}
