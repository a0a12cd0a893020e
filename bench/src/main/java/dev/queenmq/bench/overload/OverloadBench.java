package dev.queenmq.bench.overload;

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

/** The command {@code bench overload}. */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    description =
        "Sends a broker of its own 50 times as many requests at once as keep it busy, over and over,"
            + " also those that it refused. Exits with 1 if one is not answered, or otherwise than"
            + " with 2xx or 503 and Retry-After; if a modest client is starved; if memory is not"
            + " bounded; or if the broker is not as fast as before within 2 s.")
public final class OverloadBench implements Callable<Integer> {
  /** Requests at once that keep a broker busy. */
  private static final int BUSY = 40;

  private static final double AS_FAST = 0.8;
  private static final Duration MOST_RECOVERY = Duration.ofSeconds(2);
  private static final Duration WARM_UP = Duration.ofSeconds(6);
  private static final Duration USUAL = Duration.ofSeconds(4);
  private static final Duration STEP = Duration.ofMillis(250);
  private static final Duration LAST_ANSWER = Duration.ofSeconds(10);
  private static final Duration MODEST_PAUSE = Duration.ofMillis(10);
  private static final long MOST_MODEST_MILLIS = 2000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();
  @Mixin private PostgresOptions postgresOptions = new PostgresOptions();

  @Option(
      names = "--seconds",
      description = "How long it has too much to do (default: ${DEFAULT-VALUE}).")
  private int seconds = 30;

  @Option(names = "--times", description = "How much too much (default: ${DEFAULT-VALUE}).")
  private int times = 50;

  @Option(
      names = "--heap",
      description =
          "Megabytes of heap of the broker; it may use as many again besides (default:"
              + " ${DEFAULT-VALUE}).")
  private int heap = 512;

  /** Made by picocli. */
  public OverloadBench() {}

  @Override
  public Integer call() {
    Map<String, String> bounded = Map.of("JAVA_TOOL_OPTIONS", "-Xmx" + heap + "m");
    try (BrokerProcess broker = brokerOptions.start(postgresOptions, bounded);
        MemoryWatch memory = new MemoryWatch(broker)) {
      return measure(spec.commandLine().getOut(), broker, memory);
    }
  }

  private int measure(PrintWriter out, BrokerProcess broker, MemoryWatch memory) {
    double usual;
    try (SmallPushes busy = new SmallPushes(broker.url(), "usual", BUSY, Duration.ZERO)) {
      sleep(WARM_UP);
      usual = busy.rate(USUAL);
    }
    long residentBefore = Math.round(ProcessTree.alone(broker.pid()).megabytes());
    List<String> missed = new ArrayList<>();
    try (SmallPushes modest = new SmallPushes(broker.url(), "usual", 1, MODEST_PAUSE);
        Flood flood = new Flood(broker.url(), BUSY * times)) {
      sleep(Duration.ofSeconds(seconds));
      flood.stop();
      Recovery recovery = recovery(broker, flood, usual);
      int unanswered = flood.open();
      long modestSlow = modest.micros().getValueAtPercentile(99) / 1000;
      out.printf(
          "%d requests at once for %d s, of which a broker needs %d:%n",
          BUSY * times, seconds, BUSY);
      out.printf(
          "  answers           %d served with %d messages pushed, %d refused; p99 %d ms, slowest"
              + " %d ms; %d wrong, %d missing%n",
          flood.served(),
          flood.messages(),
          flood.refused(),
          flood.millis().getValueAtPercentile(99),
          flood.millis().getMaxValue(),
          flood.wrong(),
          unanswered);
      if (flood.wrong() > 0) {
        out.printf("  first wrong       %s%n", flood.firstWrong());
      }
      out.printf(
          "  a modest client   %d messages, p50 %d ms, p99 %d ms, refused %d times%n",
          modest.micros().getTotalCount(),
          modest.micros().getValueAtPercentile(50) / 1000,
          modestSlow,
          modest.refused());
      out.printf(
          "  memory            RSS %d MB before, at most %d MB; heap at most %d of %d MB%n",
          residentBefore, memory.resident(), memory.heap(), heap);
      out.printf(
          "  small pushes      %.0f /s before, %.0f /s %d ms after the end%n",
          usual, recovery.rate, recovery.after.toMillis());
      miss(missed, unanswered + flood.wrong() > 0, "answers");
      miss(missed, flood.refused() == 0, "nothing was refused: not an overload");
      miss(missed, modestSlow > MOST_MODEST_MILLIS, "the modest client");
      miss(missed, memory.resident() > 2L * heap, "memory");
      miss(missed, recovery.after.compareTo(MOST_RECOVERY) > 0, "speed afterwards");
    }
    out.println(missed.isEmpty() ? "Done." : "MISSED: " + missed);
    out.flush();
    return missed.isEmpty() ? 0 : 1;
  }

  /** How fast it was so long after the flood. */
  private record Recovery(double rate, Duration after) {}

  private static Recovery recovery(BrokerProcess broker, Flood flood, double usual) {
    long over = System.nanoTime();
    try (SmallPushes busy = new SmallPushes(broker.url(), "usual", BUSY, Duration.ZERO)) {
      double rate = 0;
      while (rate < usual * AS_FAST && System.nanoTime() - over < LAST_ANSWER.toNanos()) {
        rate = busy.rate(STEP);
      }
      Duration after = Duration.ofNanos(System.nanoTime() - over);
      while (flood.open() > 0 && System.nanoTime() - over < LAST_ANSWER.toNanos()) {
        sleep(STEP);
      }
      return new Recovery(rate, after);
    }
  }

  private static void miss(List<String> missed, boolean isMissed, String what) {
    if (isMissed) {
      missed.add(what);
    }
  }

  static void sleep(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
