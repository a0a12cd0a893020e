package dev.queenmq.bench.overload;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.BrokerMemory;
import dev.queenmq.bench.broker.BrokerOptions;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.JavaOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench overload}. */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    description =
        "Sends a broker of its own 50 times as many requests at once as keep it busy, over and"
            + " over, also those that it refused. Exits with 1 if one is not answered, or otherwise"
            + " than with 2xx or 503 and Retry-After; if a modest client is starved; if memory is"
            + " not bounded; or if the broker, warm before, is not at 80 %% of its speed within 2"
            + " s.")
public final class OverloadBench extends BenchCommand {
  /** Requests at once that keep a broker busy. */
  private static final int BUSY = 40;

  private static final double AS_FAST = 0.8;
  private static final Duration MOST_RECOVERY = Duration.ofSeconds(2);

  /** About how long a cold broker gets faster. */
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private static final Duration USUAL = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofMillis(200);
  private static final Duration LAST_ANSWER = Duration.ofSeconds(10);
  private static final Duration MODEST_PAUSE = Duration.ofMillis(10);
  private static final long GLANCE_MILLIS = 250;
  private static final long MOST_MODEST_MILLIS = 2000;

  @Mixin private BrokerOptions brokerOptions = new BrokerOptions();

  @Option(
      names = "--seconds",
      description = "How long the load is too large (default: ${DEFAULT-VALUE}).")
  private int seconds = 30;

  @Option(
      names = "--times",
      description = "By which factor the load is too large (default: ${DEFAULT-VALUE}).")
  private int times = 50;

  @Option(
      names = "--heap",
      description =
          "Megabytes of heap of the broker; it may use as many again besides (default:"
              + " ${DEFAULT-VALUE}).")
  private int heap = 512;

  @Override
  public Integer call() {
    Map<String, String> bounded = Map.of(JavaOptions.VARIABLE, "-Xmx" + heap + "m");
    try (BrokerProcess broker = brokerOptions.start(postgres(), bounded);
        EventLoop loop = new EventLoop()) {
      BrokerMemory memory = new BrokerMemory(loop, broker);
      loop.vertx().setPeriodic(GLANCE_MILLIS, due -> memory.watch());
      return measure(out(), broker, memory);
    }
  }

  private int measure(PrintWriter out, BrokerProcess broker, BrokerMemory memory) {
    double usual;
    try (SmallPushes busy = new SmallPushes(broker.url(), BUSY, Duration.ZERO)) {
      Blocking.sleep(WARM_UP);
      usual = busy.rate(USUAL);
    }
    long residentBefore = Math.round(memory.resident());
    List<String> missed = new ArrayList<>();
    try (SmallPushes modest = new SmallPushes(broker.url(), 1, MODEST_PAUSE);
        Flood flood = new Flood(broker.url(), BUSY * times)) {
      Blocking.sleep(Duration.ofSeconds(seconds));
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
          residentBefore, memory.mostResident(), memory.mostHeap(), heap);
      out.printf(
          "  small pushes      %.0f /s before, after %d s to warm up; at full speed (%.0f %%, %.0f"
              + " /s) %d ms after the end: %.0f /s in %d ms; the last of the flood was answered %d"
              + " ms after the end%n",
          usual,
          WARM_UP.toSeconds(),
          AS_FAST * 100,
          usual * AS_FAST,
          recovery.after.toMillis(),
          recovery.rate,
          STEP.toMillis(),
          recovery.drained.toMillis());
      miss(missed, unanswered + flood.wrong() > 0, "answers");
      miss(missed, flood.refused() == 0, "nothing was refused: not an overload");
      miss(missed, modestSlow > MOST_MODEST_MILLIS, "the modest client");
      miss(missed, memory.mostResident() > 2L * heap, "memory");
      miss(missed, recovery.after.compareTo(MOST_RECOVERY) > 0, "speed afterwards");
    }
    return conclude(missed);
  }

  /**
   * The way back.
   *
   * @param rate that it had again
   * @param after the end of the flood
   * @param drained how long after its end all of the flood was answered
   */
  private record Recovery(double rate, Duration after, Duration drained) {}

  private static Recovery recovery(BrokerProcess broker, Flood flood, double usual) {
    long over = System.nanoTime();
    try (SmallPushes busy = new SmallPushes(broker.url(), BUSY, Duration.ZERO)) {
      double rate = 0;
      Duration after = Duration.ZERO;
      Duration drained = Duration.ZERO;
      while ((rate < usual * AS_FAST || drained.isZero()) && since(over) < LAST_ANSWER.toNanos()) {
        double now = busy.rate(STEP);
        if (rate < usual * AS_FAST) {
          rate = now;
          after = Duration.ofNanos(since(over));
        }
        if (drained.isZero() && flood.open() == 0) {
          drained = Duration.ofNanos(since(over));
        }
      }
      return new Recovery(rate, after, drained);
    }
  }

  private static long since(long nanos) {
    return System.nanoTime() - nanos;
  }
}
