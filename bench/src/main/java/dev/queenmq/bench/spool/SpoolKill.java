package dev.queenmq.bench.spool;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.broker.JavaOptions;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.bench.broker.TcpProxy;
import dev.queenmq.embedded.PostgresAddress;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench spool-kill}. */
@Command(
    name = "spool-kill",
    mixinStandardHelpOptions = true,
    description =
        "Disturbs the line between a broker and its PostgreSQL while messages are pushed, kills the"
            + " broker (kill -9) right after it has answered that it buffered some, starts it again"
            + " and checks what is delivered, again and again. Exits with 1 if a message that was"
            + " acknowledged is lost, or one comes twice, or out of its producer's order.")
public final class SpoolKill extends BenchCommand {
  private static final String DATABASE = "spool";

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(names = "--times", description = "Kills (default: ${DEFAULT-VALUE}).")
  private int times = 200;

  @Option(names = "--producers", description = "How many push at once (default: ${DEFAULT-VALUE}).")
  private int producers = 8;

  @Option(
      names = "--seed",
      description = "Seed of when and how; default: a new one, which is printed.")
  private long seed = System.nanoTime() % 1_000_000;

  @Override
  public Integer call() {
    PrintWriter out = out();
    out.printf("%d kills, %d producers, seed %d%n", times, producers, seed);
    Random random = new Random(seed);
    try (TemporaryFolder folder = TemporaryFolder.in(postgres().parent());
        BenchPostgres server = BenchPostgres.start(postgres(), Map.of());
        FreePorts reserved = FreePorts.reserve(2)) {
      server.database("postgres").query("create database " + DATABASE);
      List<Integer> ports = reserved.numbers();
      Map<String, String> settings = settings(server.address(), ports.get(0), folder);
      try (TcpProxy line = new TcpProxy(server.vertx(), ports.get(0), server.address().port());
          Member victim =
              new Member(
                  "victim",
                  brokerOptions.jar().jar(),
                  postgres().parent(),
                  ports.get(1),
                  settings)) {
        return run(out, line, victim, random);
      }
    }
  }

  private Map<String, String> settings(PostgresAddress server, int line, TemporaryFolder folder) {
    Map<String, String> settings = new LinkedHashMap<>(BenchDatabase.settings(server, DATABASE));
    settings.put("PG_PORT", Integer.toString(line));
    settings.put("QUEEN_SPOOL_DIR", folder.path().resolve("spool").toString());
    settings.put("QUEEN_SPOOL_DEADLINE_MS", "500");
    // It lives for seconds only: to be there soon counts more than to be fast.
    settings.put(JavaOptions.VARIABLE, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m");
    settings.putAll(brokerOptions.jar().settings());
    return settings;
  }

  private int run(PrintWriter out, TcpProxy line, Member victim, Random random) {
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
      lost += round.delivery().lost.size();
      twice += round.delivery().twice;
      disordered += round.delivery().disordered;
      promised += round.promised();
      buffered += round.buffered();
      if (!round.delivery().lost.isEmpty()) {
        out.println("LOST: " + first(round.delivery().lost));
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
