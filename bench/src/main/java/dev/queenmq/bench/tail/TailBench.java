package dev.queenmq.bench.tail;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.EmbeddedDatabase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench tail}. */
@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    description =
        "Pushes one message a request at a steady rate, with pops over several partitions, and"
            + " prints every minute how large queen.tail and queen.leases are. Exits with 1 if"
            + " either holds more rows than three minutes of them.")
public final class TailBench implements Callable<Integer> {
  /** The tail is kept for two minutes; a list of a lease that was answered likewise. */
  private static final int MINUTES_KEPT = 3;

  private static final int SPARE_ROWS = 10_000;
  private static final String SIZES =
      """
      select (select count(*) from queen.tail where shard = 0) as tail,
             (select count(*) from queen.leases where shard = 0) as leases,
             (pg_table_size('queen.tail') / 1024)::bigint as tail_kb,
             (pg_indexes_size('queen.tail') / 1024)::bigint as tail_index_kb,
             (pg_table_size('queen.leases') / 1024)::bigint as leases_kb,
             (pg_indexes_size('queen.leases') / 1024)::bigint as leases_index_kb,
             (select n_dead_tup from pg_stat_user_tables where relid = 'queen.tail'::regclass) as tail_dead,
             (select n_dead_tup from pg_stat_user_tables where relid = 'queen.leases'::regclass) as leases_dead
      """;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(names = "--rate", description = "Pushes a second (default: ${DEFAULT-VALUE}).")
  private int rate = 1_000;

  @Option(names = "--minutes", description = "Default: ${DEFAULT-VALUE}.")
  private int minutes = 30;

  @Option(names = "--data", description = "With --url: the data folder of that broker.")
  private @Nullable Path data;

  /** Made by picocli. */
  public TailBench() {}

  @Override
  public Integer call() {
    Vertx vertx = Vertx.vertx();
    try {
      Optional<BrokerUrl> running = brokerOptions.url();
      if (running.isPresent() && data != null) {
        return measure(vertx, running.get(), data);
      }
      try (BrokerProcess broker = brokerOptions.start(postgresOptions, Map.of())) {
        return measure(vertx, broker.url(), broker.dataFolder());
      }
    } finally {
      Blocking.get(vertx.close());
    }
  }

  private int measure(Vertx vertx, BrokerUrl url, Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    PgConnection database = EmbeddedDatabase.connect(vertx, folder);
    long most = (long) MINUTES_KEPT * 60 * rate + SPARE_ROWS;
    boolean bounded = true;
    out.printf(
        "%6s %9s %9s %9s %7s | %8s %8s %9s %9s | %8s %8s %9s %9s%n",
        "minute",
        "pushed",
        "acked",
        "leases",
        "failed",
        "tail",
        "dead",
        "table kB",
        "index kB",
        "leases",
        "dead",
        "table kB",
        "index kB");
    try (SteadyTraffic traffic =
        new SteadyTraffic(
            vertx, new BrokerClient(vertx, url, 32), new BrokerClient(vertx, url, 8), rate)) {
      for (int minute = 1; minute <= minutes; minute++) {
        Blocking.sleep(Duration.ofMinutes(1));
        Row row = Blocking.get(database.query(SIZES).execute().map(rows -> rows.iterator().next()));
        out.printf(
            "%6d %9d %9d %9d %7d | %8d %8d %9d %9d | %8d %8d %9d %9d%n",
            minute,
            traffic.pushed(),
            traffic.acked(),
            traffic.leases(),
            traffic.failed(),
            row.getLong("tail"),
            row.getLong("tail_dead"),
            row.getLong("tail_kb"),
            row.getLong("tail_index_kb"),
            row.getLong("leases"),
            row.getLong("leases_dead"),
            row.getLong("leases_kb"),
            row.getLong("leases_index_kb"));
        out.flush();
        bounded &= row.getLong("tail") <= most && row.getLong("leases") <= most;
      }
    }
    Blocking.get(database.close());
    out.println(bounded ? "Done." : "MISSED: more than " + most + " rows");
    out.flush();
    return bounded ? 0 : 1;
  }
}
