package dev.queenmq.bench.waiting;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BrokerMemory;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.JavaOptions;
import dev.queenmq.bench.broker.ProcessTree;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench waiting}. */
@Command(
    name = "waiting",
    mixinStandardHelpOptions = true,
    description =
        "Long polls on empty queues at a broker of its own: what they cost while nothing comes."
            + " Exits with 1 if that is more than 10 statements a second or 5 %% of a core; if 2 %%"
            + " more objects are alive at the end, or 10 %% more memory is used beside the heap; or"
            + " if a poll is answered before its deadline or more than 50 ms after it."
            + " Reports also how late answers are when all deadlines are the same moment. Then many"
            + " partitions are polled by name, and it exits with 1 if a push to others takes 20 %%"
            + " longer than before.")
public final class WaitingBench extends BenchCommand {
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);

  /**
   * The heap is all there from the start: otherwise its pages become resident one by one for many
   * minutes, whatever lives in them.
   */
  private static final int HEAP_MEGABYTES = 512;

  private static final String OPTIONS =
      "-Xms%1$dm -Xmx%1$dm -XX:+AlwaysPreTouch".formatted(HEAP_MEGABYTES);
  private static final String TRANSACTIONS =
      "select sum(xact_commit + xact_rollback)::bigint from pg_stat_database"
          + " where datname is not null";
  private static final double MOST_STATEMENTS = 10;
  private static final double MOST_CPU = 0.05;
  private static final double MOST_NEW_OBJECTS = 1.02;

  /** Beside the heap: compiled code comes for a long time. */
  private static final double MOST_GROWTH = 1.10;

  /** A push after many polls by name, beside one before them. */
  private static final double MOST_AFTER_POLLS = 1.2;

  private static final int PUSHED_PARTITIONS = 1_000;
  private static final int PUSHES = 31;

  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(20);

  /** Descriptors that are for other things. */
  private static final int RESERVE = 500;

  /** Between the last poll of a round and the first deadline. */
  private static final Duration BETWEEN = Duration.ofSeconds(3);

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(
      names = "--polls",
      description = "How many wait in empty queues; 0: none (default: ${DEFAULT-VALUE}).")
  private int polls = 10_000;

  @Option(names = "--queues", description = "Default: ${DEFAULT-VALUE}.")
  private int queues = 1_000;

  @Option(
      names = "--seconds",
      description = "How long the cost is measured, once all wait (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(
      names = "--named",
      description =
          "Polls of as many partitions by name before a push; 0: none (default: ${DEFAULT-VALUE}).")
  private int named = 100_000;

  @Override
  public Integer call() {
    PrintWriter out = out();
    int count = (int) Math.min(polls, descriptors() - RESERVE);
    if (count < polls) {
      out.printf(
          "Only %d polls: a process may open %d files here (ulimit -n).%n", count, descriptors());
    }
    // A broker cuts longer waits to its limit, and they would be answered early. All come from one
    // address.
    Map<String, String> patient =
        Map.of(
            "QUEEN_MAX_WAIT_MS",
            Long.toString(LONGEST_WAIT.toMillis()),
            "QUEEN_MAX_WAITING_PER_ADDRESS",
            Integer.toString(count + RESERVE),
            "QUEEN_MAX_CONNECTIONS",
            Integer.toString(2 * count + RESERVE),
            JavaOptions.VARIABLE,
            OPTIONS);
    try (BrokerProcess broker = brokerOptions.start(postgres(), patient)) {
      List<String> missed = new ArrayList<>();
      if (count > 0) {
        measure(out, broker, count, missed);
      }
      if (named > 0) {
        measureNamed(out, broker, missed);
      }
      return conclude(missed);
    }
  }

  private void measureNamed(PrintWriter out, BrokerProcess broker, List<String> missed) {
    try (NamedPolls polling = new NamedPolls(broker.url(), PUSHED_PARTITIONS, PUSHES)) {
      NamedPolls.Outcome outcome = polling.run(named, LONGEST_WAIT);
      out.printf(
          "Polls of %d partitions by name, in %.1f s, of which %d were not answered by 204:%n",
          named, outcome.pollSeconds(), outcome.wrong());
      out.printf(
          "  a push to %d other partitions %.1f ms before, %.1f ms after: ratio %.2f%n",
          PUSHED_PARTITIONS, outcome.before(), outcome.after(), outcome.ratio());
      miss(missed, outcome.wrong() > 0, "answers to polls by name");
      miss(missed, outcome.ratio() > MOST_AFTER_POLLS, "a push after polls by name");
    }
  }

  private void measure(PrintWriter out, BrokerProcess broker, int count, List<String> missed) {
    // An idle broker does some work, too. Polls cost what is more than that.
    Blocking.sleep(SETTLE);
    Cost alone = cost(broker);
    out.println("No polls:");
    printWork(out, alone);
    out.flush();
    Duration opening = IdleConsumers.opening(count);
    Duration first = opening.plus(BETWEEN);
    Duration second = opening.plus(SETTLE).plusSeconds(seconds).plus(SETTLE);
    // The first polls connect, and find two cold JVMs: they do not count.
    Round connecting = Round.of(first);
    Round apart = Round.of(second);
    Duration all = first.plus(second).plus(opening).plus(BETWEEN);
    Round together = Round.until(System.nanoTime() + all.toNanos());
    try (IdleConsumers consumers =
        new IdleConsumers(broker.url(), count, queues, List.of(connecting, apart, together))) {
      awaitAll(connecting, count, first.plus(opening).plus(LAST_ANSWERS));
      Blocking.sleep(SETTLE);
      Cost cost = cost(broker);
      boolean waitedAll = apart.answered() == 0;
      awaitAll(together, count, second.plus(opening).plus(LAST_ANSWERS));
      out.printf("%d polls on %d queues:%n", count, queues);
      print(out, cost);
      printAnswers(out, "Deadlines that are 1 ms apart:", apart, count);
      printAnswers(out, "The same while all connect and the JVMs are cold:", connecting, count);
      printAnswers(out, "One deadline for all:", together, count);
      if (!consumers.failure().isEmpty()) {
        out.printf("a consumer gave up: %s%n", consumers.failure());
      }
      judge(missed, cost);
      miss(missed, !waitedAll || !right(apart, count) || apart.late() > 0, "answers");
      miss(missed, !right(connecting, count), "answers to the first polls");
      miss(missed, !right(together, count), "answers at one moment");
    }
    out.flush();
  }

  /**
   * In the two parts of memory that could grow.
   *
   * @param objects megabytes of those that are alive after a collection
   * @param besideHeap megabytes that the process has more
   */
  private record Use(double objects, double besideHeap) {
    static Use of(BrokerMemory memory) {
      return new Use(memory.live(), memory.resident() - HEAP_MEGABYTES);
    }
  }

  /** While all wait; besideHeap by the minute. */
  private record Cost(
      double seconds,
      double statements,
      double cpuSeconds,
      Use before,
      Use after,
      List<Long> besideHeap) {}

  private Cost cost(BrokerProcess broker) {
    try (EventLoop loop = new EventLoop()) {
      // The asking itself hardly counts. Every statement of a broker is a transaction.
      BenchDatabase database = broker.database(loop.vertx());
      BrokerMemory memory = new BrokerMemory(loop, broker);
      long pid = broker.process().pid();
      Use memoryBefore = Use.of(memory);
      double cpuBefore = ProcessTree.alone(pid).cpuSeconds();
      long statementsBefore = database.number(TRANSACTIONS);
      long from = System.nanoTime();
      List<Long> besideHeap = new ArrayList<>();
      for (int second = 1; second <= seconds; second++) {
        Blocking.sleep(Duration.ofNanos(from + second * 1_000_000_000L - System.nanoTime()));
        if (second % 60 == 0 || second == seconds) {
          besideHeap.add(Math.round(memory.resident() - HEAP_MEGABYTES));
        }
      }
      double cpu = ProcessTree.alone(pid).cpuSeconds() - cpuBefore;
      double statements = database.number(TRANSACTIONS) - statementsBefore;
      double length = (System.nanoTime() - from) / 1e9;
      return new Cost(length, statements, cpu, memoryBefore, Use.of(memory), besideHeap);
    }
  }

  private static void printWork(PrintWriter out, Cost cost) {
    out.printf(
        "  statements        %8.1f /s in %.0f s, after %d s%n",
        cost.statements / cost.seconds, cost.seconds, SETTLE.toSeconds());
    out.printf("  CPU of the broker %8.1f %% of a core%n", cost.cpuSeconds / cost.seconds * 100);
  }

  private static void print(PrintWriter out, Cost cost) {
    printWork(out, cost);
    out.printf(
        "  memory            %8.1f MB of live objects, then %.1f MB; %.1f MB beside the heap, then"
            + " %.1f MB (by the minute: %s)%n",
        cost.before.objects(),
        cost.after.objects(),
        cost.before.besideHeap(),
        cost.after.besideHeap(),
        cost.besideHeap);
  }

  private static void judge(List<String> missed, Cost cost) {
    miss(missed, cost.statements / cost.seconds > MOST_STATEMENTS, "statements");
    miss(missed, cost.cpuSeconds / cost.seconds > MOST_CPU, "CPU");
    miss(
        missed,
        cost.after.objects() > cost.before.objects() * MOST_NEW_OBJECTS
            || cost.after.besideHeap() > cost.before.besideHeap() * MOST_GROWTH,
        "memory");
  }

  private static void printAnswers(PrintWriter out, String which, Round round, int count) {
    Histogram behind = round.behindMicros();
    out.println(which);
    out.printf(
        "  answers           %8d, of which %d not 204, %d early, %d more than %d ms late; %d"
            + " missing%n",
        round.answered(),
        round.wrong(),
        round.early(),
        round.late(),
        Round.TOLERANCE.toMillis(),
        count - round.answered());
    out.printf(
        "  after a deadline  %8.1f ms p50, %.1f ms p99, %.1f ms at most%n",
        behind.getValueAtPercentile(50) / 1e3,
        behind.getValueAtPercentile(99) / 1e3,
        behind.getMaxValue() / 1e3);
  }

  private static boolean right(Round round, int count) {
    return round.answered() == count && round.wrong() + round.early() == 0;
  }

  private static void awaitAll(Round round, int count, Duration limit) {
    Blocking.await(limit, Duration.ofMillis(100), () -> round.answered() >= count);
  }

  /** How many files and connections a process may have open; its children may as many. */
  private static long descriptors() {
    return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
        .getMaxFileDescriptorCount();
  }
}
