package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.broker.Member;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Takes brokers down and up again while others use them: kills spread over a time, or one restart
 * after the other. Runs on a thread of its own.
 */
final class Faults {
  private static final double LAST_PART = 0.85;
  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final Duration NOTICE_LIMIT = Duration.ofSeconds(10);
  private static final int SHORTEST_DEATH = 500;
  private static final int LONGEST_DEATH = 4000;

  /**
   * What happens.
   *
   * @param rolling brokers are restarted in turn as long as there is time
   * @param noticed the others can hear that one is gone, and that is measured
   */
  record Plan(Duration length, int kills, boolean rolling, boolean noticed, long seed) {}

  private final Cluster cluster;
  private final Plan plan;
  private final PrintWriter progress;
  private final Random random;
  private final List<String> wrongs = new ArrayList<>();
  private final List<Double> stops = new ArrayList<>();
  private final List<Double> starts = new ArrayList<>();
  private final List<Double> notices = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "faults");
  private int kills;
  private int restarts;

  Faults(Cluster cluster, Plan plan, PrintWriter progress) {
    this.cluster = cluster;
    this.plan = plan;
    this.progress = progress;
    random = new Random(plan.seed());
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until all is over and all brokers are up; everything below is to be asked after this. */
  void await() {
    Blocking.join(List.of(thread));
  }

  /** What brokers did wrong. */
  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  int kills() {
    return kills;
  }

  void print(PrintWriter out) {
    AuditReport.row(out, "brokers killed", kills);
    AuditReport.row(out, "brokers stopped and started again", restarts);
    row(out, "seconds to stop, most", stops);
    row(out, "seconds from start to health, most", starts);
    row(out, "seconds until the others knew of a dead one, most", notices);
    wrongs.forEach(wrong -> out.println("  ! " + wrong));
  }

  private static void row(PrintWriter out, String what, List<Double> seconds) {
    seconds.stream()
        .max(Double::compare)
        .ifPresent(most -> out.printf(Locale.ROOT, "%-64s %12.2f%n", what, most));
  }

  private void run() {
    try {
      long start = System.nanoTime();
      if (plan.rolling()) {
        roll(start);
      } else {
        kill(start);
      }
    } catch (RuntimeException e) {
      wrongs.add("a broker did not come back: " + e.getMessage());
    }
    for (Member member : cluster.members()) {
      if (!member.isAlive()) {
        wrongs.add("broker " + member.name() + " is gone:\n" + member.tail());
      }
    }
  }

  private void kill(long start) {
    double each = plan.length().toNanos() * LAST_PART / Math.max(1, plan.kills());
    // In a short run, others must not do without it for most of the time.
    int longest = (int) Math.min(LONGEST_DEATH, SHORTEST_DEATH + plan.length().toMillis() / 10);
    for (int i = 0; i < plan.kills(); i++) {
      sleepUntil(start + Math.round(each * (i + random.nextDouble(0.2, 0.8))));
      Member member = any();
      say("kill -9 of broker " + member.name());
      member.kill();
      kills++;
      long dead = System.nanoTime();
      if (plan.noticed()) {
        awaitNotice(member, dead);
      }
      sleepUntil(dead + TimeUnit.MILLISECONDS.toNanos(random.nextInt(SHORTEST_DEATH, longest)));
      start(member);
    }
  }

  /** Waits until all other brokers count one broker less. */
  private void awaitNotice(Member dead, long since) {
    List<Member> others = cluster.members().stream().filter(other -> other != dead).toList();
    int expected = others.size() - 1;
    boolean noticed =
        Blocking.await(
            NOTICE_LIMIT,
            Duration.ofMillis(100),
            () ->
                others.stream()
                    .map(other -> SharedState.of(other.url()).alive())
                    .allMatch(alive -> alive.isPresent() && alive.get() == expected));
    if (noticed) {
      notices.add(seconds(since));
    } else {
      wrongs.add("the others did not notice within " + NOTICE_LIMIT + " that one is dead");
    }
  }

  private void roll(long start) {
    long end = start + Math.round(plan.length().toNanos() * LAST_PART);
    // Each of them at least once, however slow the machine is.
    for (int i = 0; i < cluster.members().size() || System.nanoTime() - end < 0; i++) {
      Blocking.sleep(BETWEEN);
      Member member = cluster.members().get(i % cluster.members().size());
      say("SIGTERM to broker " + member.name());
      long asked = System.nanoTime();
      OptionalInt code = member.stop();
      stops.add(seconds(asked));
      if (code.isEmpty() || code.getAsInt() != 0) {
        wrongs.add("broker " + member.name() + " did not stop in good order: exit code " + code);
      }
      start(member);
      restarts++;
    }
  }

  private void start(Member member) {
    long since = System.nanoTime();
    member.start();
    starts.add(seconds(since));
    say("broker " + member.name() + " is up again");
  }

  private Member any() {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  private void say(String what) {
    progress.println("  " + what);
    progress.flush();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static void sleepUntil(long moment) {
    Blocking.sleep(Duration.ofNanos(Math.max(0, moment - System.nanoTime())));
  }
}
