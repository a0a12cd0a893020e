package dev.queenmq.bench.retention;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench retention}. */
@Command(
    name = "retention",
    mixinStandardHelpOptions = true,
    description =
        "Lets many messages of one queue expire at once while others are pushed to and popped from"
            + " another queue of the same broker. Exits with 1 if those get less than 85 %% of"
            + " their speed meanwhile, if something is left, if the space is not to be used again,"
            + " or if a group has lost a message that no rule gave up.")
public final class RetentionBench extends BenchCommand {
  private static final double AS_FAST = 0.85;
  private static final int OLD_PARTITIONS = 100;
  private static final double MOST_GROWTH = 1.1;
  private static final String NEVER = "86400000";

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(names = "--messages", description = "How many expire (default: ${DEFAULT-VALUE}).")
  private int messages = 1_000_000;

  @Option(
      names = "--seconds",
      description = "How long the speed before is measured (default: ${DEFAULT-VALUE}).")
  private int seconds = 10;

  @Option(
      names = "--warm-up",
      description = "Seconds of traffic before that (default: ${DEFAULT-VALUE}).")
  private int warmUp = 10;

  @Override
  public Integer call() {
    // The jobs run when we say so.
    Map<String, String> settings = Map.of("RETENTION_INTERVAL", NEVER, "EVICTION_INTERVAL", NEVER);
    try (BrokerProcess broker = brokerOptions.start(postgres(), settings);
        Traffic traffic = new Traffic(broker.url(), "live")) {
      return measure(out(), traffic, broker.database(traffic.loop().vertx()));
    }
  }

  private int measure(PrintWriter out, Traffic traffic, BenchDatabase database) {
    configure(traffic, "live", new JsonObject().put("completedRetentionSeconds", 1));
    traffic.meet("slow");
    Duration filled = traffic.fill("old", messages, OLD_PARTITIONS);
    run(traffic);
    long full = bytes(database);
    traffic.start();
    Blocking.sleep(Duration.ofSeconds(warmUp));
    double before = traffic.rate(Duration.ofSeconds(seconds));

    configure(traffic, "old", new JsonObject().put("retentionSeconds", 1));
    long sentBefore = traffic.messages();
    long began = System.nanoTime();
    long removed = run(traffic).getLong("removed");
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    double during = traffic.rate(sentBefore, began);
    double after = traffic.rate(Duration.ofSeconds(Math.min(5, seconds)));
    traffic.stop();

    Received fast = traffic.drain("fast");
    Received slow = traffic.drain("slow");
    long keptForSlow = stored(database, "live");
    // What all have done is older than a second by now.
    Blocking.sleep(Duration.ofSeconds(1));
    run(traffic);
    long leftOld = stored(database, "old");
    long leftLive = stored(database, "live");
    long emptied = bytes(database);
    database.query("vacuum queen.segments");
    long vacuumed = bytes(database);
    traffic.fill("again", messages, OLD_PARTITIONS);
    long again = bytes(database);

    out.printf("%d messages expire (stored in %d ms):%n", messages, filled.toMillis());
    out.printf(
        "  removal           %d messages in %d ms, %.0f /s%n",
        removed, took.toMillis(), removed * 1e3 / Math.max(1, took.toMillis()));
    out.printf(
        "  push and pop      %.0f messages/s before, %.0f during (%.2f), %.0f after%n",
        before, during, during / before, after);
    out.printf(
        "  segments          %d MB full, %d MB when all was removed, %d MB after vacuum, %d MB when"
            + " as many were stored again%n",
        full >> 20, emptied >> 20, vacuumed >> 20, again >> 20);
    out.printf(
        "  audit             %d pushed; group fast got %d (%d twice), group slow %d (%d twice), for"
            + " which %d were kept; left %d and %d; %d requests failed%n",
        traffic.pushed(),
        fast.messages(),
        fast.repeated(),
        slow.messages(),
        slow.repeated(),
        keptForSlow,
        leftOld,
        leftLive,
        traffic.failed());

    List<String> missed = new ArrayList<>();
    miss(missed, during < before * AS_FAST, "speed");
    miss(missed, removed != messages || leftOld + leftLive > 0, "something was left");
    miss(missed, again > Math.max(full, emptied) * MOST_GROWTH, "space");
    miss(
        missed,
        fast.repeated() + slow.repeated() + traffic.failed() > 0
            || fast.messages() != traffic.pushed()
            || slow.messages() != traffic.pushed(),
        "messages");
    return conclude(missed);
  }

  private static void configure(Traffic traffic, String queue, JsonObject options) {
    Blocking.get(
            traffic
                .client()
                .post(
                    "/api/v1/configure",
                    new JsonObject()
                        .put("queue", queue)
                        .put("options", options.put("retentionEnabled", true))
                        .toBuffer()))
        .orThrow();
  }

  /** Runs retention to its end. */
  private static JsonObject run(Traffic traffic) {
    Future<JsonObject> run =
        traffic
            .client()
            .post("/api/v1/system/upkeep/retention/run?wait=110000", Buffer.buffer())
            .map(reply -> reply.orThrow().body().toJsonObject());
    JsonObject answer = Blocking.get(run);
    if (!answer.getString("state").equals("done")) {
      throw new IllegalStateException("retention takes too long for this benchmark: " + answer);
    }
    return answer;
  }

  private static long bytes(BenchDatabase database) {
    return database.number("select pg_total_relation_size('queen.segments')");
  }

  private static long stored(BenchDatabase database, String queue) {
    return database.number(
        "select coalesce(sum(p.next_offset - p.first_offset), 0)::bigint from queen.partitions p"
            + " join queen.queues q on q.id = p.queue_id where q.name = '"
            + queue
            + "'");
  }
}
