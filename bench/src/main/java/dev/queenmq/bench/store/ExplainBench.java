package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.Report;
import dev.queenmq.bench.StoreConnection;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description =
        "Shows that no hot statement scans what grows: counts scans of 100 calls of each kind at"
            + " two sizes, and prints the plans (EXPLAIN ANALYZE, BUFFERS) of what they execute.")
public final class ExplainBench extends BenchCommand {
  private static final int CALLS = 100;
  private static final String AUTO_EXPLAIN =
      "load 'auto_explain'; set auto_explain.log_min_duration = 0;"
          + " set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on;"
          + " set auto_explain.log_buffers = on; set auto_explain.log_timing = off;"
          + " set client_min_messages = log";

  @Option(names = "--partitions", description = "Of the large one (default: ${DEFAULT-VALUE}).")
  private int partitions = 20_000;

  @Option(names = "--no-plans", description = "Only count.")
  private boolean noPlans;

  @Override
  public Integer call() {
    PrintWriter out = out();
    Report report = new Report(out);
    try (BenchPostgres postgres = BenchPostgres.start(postgres(), Map.of())) {
      BenchDatabase small = postgres.createDatabase("explain_small");
      BenchDatabase large = postgres.createDatabase("explain_large");
      MachineReport.print(out, small);
      Map<String, ScanCounts> few = count(small, 100);
      Map<String, ScanCounts> many = count(large, partitions);
      print(report, few, many);
      if (!noPlans) {
        printPlans(out, large);
      }
    }
    report.line("%n%s", report.missed().isEmpty() ? "No scan." : "SCANS: " + report.missed());
    return report.missed().isEmpty() ? 0 : 1;
  }

  /** Fills a database and counts how tables are read by this many calls of each kind. */
  static Map<String, ScanCounts> count(BenchDatabase database, int partitions) {
    return new ScanCounter(database, partitions, CALLS).run();
  }

  private static void print(
      Report report, Map<String, ScanCounts> few, Map<String, ScanCounts> many) {
    report.line(
        "%-12s %-14s %22s %30s",
        "call", "table", "sequential scans", "index rows per call, small/large");
    many.forEach(
        (call, counts) ->
            counts
                .tables()
                .forEach(
                    (table, scans) -> {
                      ScanCounts.Scans before =
                          few.getOrDefault(call, counts)
                              .tables()
                              .getOrDefault(table, new ScanCounts.Scans(0, 0));
                      if (scans.sequential() + scans.indexTuples() + before.indexTuples() > 0) {
                        report.line(
                            "%-12s %-14s %22d %18.1f / %.1f",
                            call,
                            table,
                            scans.sequential(),
                            before.indexTuples() / (double) CALLS,
                            scans.indexTuples() / (double) CALLS);
                      }
                      if (scans.sequential() > 0) {
                        report.miss(true, call + " scans " + table);
                      }
                    }));
  }

  private void printPlans(PrintWriter out, BenchDatabase database) {
    StoreConnection connection = StoreConnection.open(database);
    Queue<String> notices = new ConcurrentLinkedQueue<>();
    try (HotCalls calls = new HotCalls(connection, 100, 2)) {
      Map<String, Runnable> all = calls.calls();
      // Plans are cached after some executions; those are the ones to show.
      for (int i = 0; i < 10; i++) {
        all.values().forEach(Runnable::run);
      }
      connection.connection().noticeHandler(notice -> notices.add(notice.getMessage()));
      for (String statement : List.of(AUTO_EXPLAIN.split(";", -1))) {
        Blocking.get(connection.connection().query(statement).execute());
      }
      all.forEach(
          (name, call) -> {
            notices.clear();
            call.run();
            out.printf("%n===== %s%n", name);
            notices.forEach(out::println);
          });
    }
    out.flush();
  }
}
