package dev.queenmq.bench.partitions;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.MachineReport;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench partitions}. */
@Command(
    name = "partitions",
    mixinStandardHelpOptions = true,
    description =
        "One queue with very many partitions, a group that has read all of them, and what concerns"
            + " all of them at once: encryption, maxSize, sums, operators' pages, deletion. Exits"
            + " with 1 if any statement took longer than the limit.")
public final class PartitionsBench extends BenchCommand {
  private static final String QUEUE = "many";

  /** The statement of brokers: 5,000 partitions in a step. */
  private static final String MEASURE =
      "select o_outcome from queen.count_backlog_step_v1(0::smallint, 5000, 2000)";

  private static final String SUM =
      "select o_outcome from queen.statistics_step_v1(0::smallint, 0, true, 5000)";

  @Option(names = "--count", description = "Partitions (default: ${DEFAULT-VALUE}).")
  private int count = 1_000_000;

  @Option(
      names = "--limit",
      description = "The longest that a statement may take, in ms (default: ${DEFAULT-VALUE}).")
  private int limit = 30_000;

  private final List<String> slow = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter out = out();
    try (BenchPostgres postgres = BenchPostgres.start(postgres(), Map.of())) {
      BenchDatabase database = postgres.createDatabase("partitions_bench");
      MachineReport.print(out, database);
      try (StoreConnection connection = StoreConnection.open(database)) {
        fill(out, database);
        connection.connection().query("set statement_timeout = 0; set lock_timeout = 0").execute();
        measure(out, database, connection);
      }
    }
    return conclude(slow);
  }

  private void fill(PrintWriter out, BenchDatabase database) {
    long from = System.nanoTime();
    database.query("insert into queen.queues (name) values ('" + QUEUE + "')");
    database.query(
        "insert into queen.partitions (shard, id, queue_id, name, next_offset, last_append_at)"
            + " select 0, gen_random_uuid(), q.id, 'p' || i, 1, now()"
            + " from queen.queues q, generate_series(1, "
            + count
            + ") i");
    database.query(
        "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
            + " select 0, p.id, 'readers', 1 from queen.partitions p");
    database.query("vacuum analyze queen.partitions");
    database.query("vacuum analyze queen.cursors");
    out.printf("%d partitions and cursors in %d s.%n", count, seconds(from));
    out.flush();
  }

  private void measure(PrintWriter out, BenchDatabase database, StoreConnection connection) {
    time(out, "push to one partition", () -> push(connection, "before"));
    time(out, "encryption on", () -> configure(connection, "encryptionEnabled", true));
    configure(connection, "encryptionEnabled", false);
    configure(connection, "maxSize", 1_000_000_000);
    time(out, "push with maxSize, the first", () -> push(connection, "first"));
    steps(out, "measuring for maxSize", () -> more(database, MEASURE));
    time(out, "push with maxSize, counted", () -> push(connection, "second"));
    for (String round : List.of("first", "second")) {
      steps(out, "sums over all partitions, " + round + " time", () -> more(database, SUM));
    }
    Map<String, String> pages =
        Map.of(
            "queues", "select count(*) from queen.resources_queues_v1(0::smallint, 0)",
            "overview", "select queen.resources_overview_v1(0::smallint, 0)",
            "groups", "select count(*) from queen.groups_v1(0::smallint, 0)",
            "lagging", "select count(*) from queen.lagging_partitions_v1(0::smallint, 0, 100, 0)");
    pages.forEach((page, sql) -> time(out, "page of " + page, () -> database.query(sql)));
    time(
        out,
        "deletion of the queue",
        () -> Blocking.get(connection.store().deleteQueues(List.of(QUEUE))));
  }

  private static void push(StoreConnection connection, String transactionId) {
    Blocking.get(
        connection
            .store()
            .push(List.of(Message.of(QUEUE, "p1", UUID.randomUUID(), transactionId, "1"))));
  }

  private static void configure(StoreConnection connection, String option, Object value) {
    Blocking.get(
        connection
            .store()
            .configure(
                List.of(
                    new QueueConfiguration(
                        QUEUE,
                        Optional.empty(),
                        Optional.empty(),
                        QueueOptions.of(new JsonObject().put(option, value)),
                        true))));
  }

  private void time(PrintWriter out, String what, Runnable statement) {
    long from = System.nanoTime();
    statement.run();
    long millis = (System.nanoTime() - from) / 1_000_000;
    out.printf("%-40s %8d ms%n", what, millis);
    out.flush();
    if (millis > limit) {
      slow.add(what);
    }
  }

  /** All steps of something, and the longest of them, which has to be short. */
  private void steps(PrintWriter out, String what, BooleanSupplier step) {
    long from = System.nanoTime();
    long longest = 0;
    int steps = 0;
    boolean more = true;
    while (more) {
      long begun = System.nanoTime();
      more = step.getAsBoolean();
      longest = Math.max(longest, (System.nanoTime() - begun) / 1_000_000);
      steps++;
    }
    out.printf(
        "%-40s %8d ms in %d steps, the longest %d ms%n",
        what, (System.nanoTime() - from) / 1_000_000, steps, longest);
    out.flush();
    if (longest > limit) {
      slow.add(what);
    }
  }

  private static boolean more(BenchDatabase database, String sql) {
    return database.query(sql).iterator().next().getString(0).equals("more");
  }

  private static long seconds(long from) {
    return (System.nanoTime() - from) / 1_000_000_000;
  }
}
