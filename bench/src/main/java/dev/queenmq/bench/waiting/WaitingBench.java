package dev.queenmq.bench.waiting;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.ProcessTree;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bench waiting}. */
@Command(
    name = "waiting",
    mixinStandardHelpOptions = true,
    description =
        "Long polls on empty queues at a broker of its own: what they cost while nothing comes."
            + " Exits with 1 if that is more than 10 statements a second, 5 % of a core or 10 % more"
            + " memory, or if a poll is not answered at its deadline.")
public final class WaitingBench implements Callable<Integer> {
  private static final String LONGEST_WAIT = Long.toString(Duration.ofHours(24).toMillis());
  private static final double MOST_STATEMENTS = 10;
  private static final double MOST_CPU = 0.05;
  private static final double MOST_GROWTH = 1.10;
  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(20);

  /** Descriptors that are for other things. */
  private static final int RESERVE = 500;

  /** Connections that are made at a time, so that the line of those who ask is never too long. */
  private static final int AT_ONCE = 100;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(names = "--polls", description = "Default: ${DEFAULT-VALUE}.")
  private int polls = 10_000;

  @Option(names = "--queues", description = "Default: ${DEFAULT-VALUE}.")
  private int queues = 1_000;

  @Option(
      names = "--seconds",
      description = "How long the cost is measured, once all wait (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  /** Made by picocli. */
  public WaitingBench() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    int count = Math.min(polls, Descriptors.limit() - RESERVE);
    if (count < polls) {
      out.printf(
          "Only %d polls: a process may open %d files here (ulimit -n).%n",
          count, Descriptors.limit());
    }
    // A broker cuts longer waits to its limit, and they would be answered early.
    Map<String, String> patient = Map.of("QUEEN_MAX_WAIT_MS", LONGEST_WAIT);
    try (BrokerProcess broker = brokerOptions.start(postgresOptions, patient);
        WaitingPolls waiting = new WaitingPolls(broker.url(), count);
        QuietDatabase database = new QuietDatabase(broker.dataFolder())) {
      return measure(out, broker, waiting, database, count);
    }
  }

  private int measure(
      PrintWriter out,
      BrokerProcess broker,
      WaitingPolls waiting,
      QuietDatabase database,
      int count) {
    // All end after the measurement, about as far apart as they began.
    Duration opening = Duration.ofMillis(count);
    Duration patience = opening.plus(SETTLE).plus(SETTLE).plusSeconds(seconds);
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      waiting.send("idle-" + i % queues, patience);
      if (i % AT_ONCE == AT_ONCE - 1) {
        sleep(Duration.ofMillis(AT_ONCE));
      }
    }
    sleep(SETTLE);
    int answeredBefore = waiting.answered();
    ProcessTree.Use before = ProcessTree.alone(broker.pid());
    long statementsBefore = database.transactions();
    long from = System.nanoTime();
    sleep(Duration.ofSeconds(seconds));
    ProcessTree.Use after = ProcessTree.alone(broker.pid());
    double statements = database.transactions() - statementsBefore;
    double length = (System.nanoTime() - from) / 1e9;
    boolean waitedAll = answeredBefore == 0 && waiting.answered() == 0;
    long end = begun + patience.plus(opening).plus(LAST_ANSWERS).toNanos();
    while (waiting.answered() < count && System.nanoTime() < end) {
      sleep(Duration.ofMillis(100));
    }
    double rate = statements / length;
    double cpu = (after.cpuSeconds() - before.cpuSeconds()) / length;
    double growth = after.megabytes() / before.megabytes();
    int unanswered = count - waiting.answered();
    out.printf(
        "%d polls on %d queues for %.0f s, after %d s:%n",
        count, queues, length, SETTLE.toSeconds());
    out.printf("  statements        %8.1f /s%n", rate);
    out.printf("  CPU of the broker %8.1f %% of a core%n", cpu * 100);
    out.printf(
        "  memory (RSS)      %8.0f MB, then %.0f MB%n", before.megabytes(), after.megabytes());
    out.printf(
        "  answers           %8d, of which %d not 204, %d early, %d late (up to %d ms);"
            + " %d missing%n",
        waiting.answered(),
        waiting.wrong(),
        waiting.early(),
        waiting.late(),
        waiting.slowest(),
        unanswered);
    List<String> missed = new ArrayList<>();
    miss(missed, rate > MOST_STATEMENTS, "statements");
    miss(missed, cpu > MOST_CPU, "CPU");
    miss(missed, growth > MOST_GROWTH, "memory");
    miss(
        missed,
        !waitedAll || unanswered + waiting.wrong() + waiting.early() + waiting.late() > 0,
        "answers");
    out.println(missed.isEmpty() ? "Done." : "MISSED: " + missed);
    out.flush();
    return missed.isEmpty() ? 0 : 1;
  }

  private static void miss(List<String> missed, boolean isMissed, String what) {
    if (isMissed) {
      missed.add(what);
    }
  }

  private static void sleep(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
