package dev.queenmq.bench.tail;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.sqlclient.Row;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench tail}. */
@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    description =
        "Pushes one message a request at a steady rate, with pops over several partitions, and"
            + " prints every minute how large queen.tail and queen.leases are. Exits with 1 if"
            + " either holds more rows than three minutes of them.")
public final class TailBench extends BenchCommand {
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

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(names = "--rate", description = "Pushes a second (default: ${DEFAULT-VALUE}).")
  private int rate = 1_000;

  @Option(names = "--minutes", description = "Default: ${DEFAULT-VALUE}.")
  private int minutes = 30;

  @Option(names = "--data", description = "With --url: the data folder of that broker.")
  private @Nullable Path data;

  @Override
  public Integer call() {
    try (EventLoop loop = new EventLoop()) {
      Optional<BrokerUrl> running = brokerOptions.url();
      if (running.isPresent() && data != null) {
        return measure(loop, running.get(), BrokerProcess.database(loop.vertx(), data));
      }
      try (BrokerProcess broker = brokerOptions.start(postgres())) {
        return measure(loop, broker.url(), broker.database(loop.vertx()));
      }
    }
  }

  private int measure(EventLoop loop, BrokerUrl url, BenchDatabase database) {
    PrintWriter out = out();
    long most = (long) MINUTES_KEPT * 60 * rate + SPARE_ROWS;
    List<String> missed = new ArrayList<>();
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
    try (SteadyTraffic traffic = new SteadyTraffic(loop, url, rate)) {
      for (int minute = 1; minute <= minutes; minute++) {
        Blocking.sleep(Duration.ofMinutes(1));
        Row row = database.query(SIZES).get(0);
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
        miss(
            missed,
            row.getLong("tail") > most || row.getLong("leases") > most,
            "more than " + most + " rows in minute " + minute);
      }
    }
    return conclude(missed);
  }
}
