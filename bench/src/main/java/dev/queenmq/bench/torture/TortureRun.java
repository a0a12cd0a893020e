package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.AuditRun;
import dev.queenmq.bench.audit.AuditSettings;
import dev.queenmq.bench.audit.ClientBehaviour;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Violations;
import dev.queenmq.bench.broker.Member;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** One torture from start to end. Blocks; for one use. */
public final class TortureRun {
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration CALIBRATION = Duration.ofSeconds(10);
  private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);
  private static final double FASTEST = 1_000_000;
  private static final double SLOWEST = 20;
  private static final double SHARE = 0.5;

  /** More would need too much memory to remember. */
  private static final long MOST_MESSAGES = 500_000;

  private static final double NANOS = 1e9;

  private final TortureSettings settings;
  private final PostgresOptions options;
  private final PrintWriter progress;
  private final Violations zombies = new Violations();
  private final PoliteLatencies polite = new PoliteLatencies();

  /** Nothing happens yet. */
  public TortureRun(TortureSettings settings, PostgresOptions options, PrintWriter progress) {
    this.settings = settings;
    this.options = options;
    this.progress = progress;
  }

  /** Runs it. */
  public TortureReport run() {
    try (Deployment deployment = new Deployment(options, settings);
        History history = new History(settings.history())) {
      List<Fault> chosen = FaultList.of(deployment, settings, zombies);
      deployment.start();
      try (Canaries canaries = new Canaries(deployment.urls());
          PoliteClients clients = new PoliteClients(deployment.urls(), polite)) {
        return new Rounds(deployment, history, canaries, chosen).run(clients);
      }
    }
  }

  /** Prints which faults there are. */
  public void list(PrintWriter out) {
    try (Deployment deployment = new Deployment(options, settings)) {
      for (Fault fault : FaultList.of(deployment, settings, zombies)) {
        out.printf("%-20s %s%n", fault.name(), fault.text());
        fault.skipped().ifPresent(why -> out.printf("%-20s   not here: %s%n", "", why));
      }
      out.flush();
    }
  }

  private AuditSettings load(double rate, Duration length) {
    return new AuditSettings(
        length,
        0,
        settings.producers(),
        settings.consumers(),
        settings.lanes(),
        2,
        settings.leaseSeconds(),
        settings.seed(),
        ClientBehaviour.steady(rate));
  }

  private void say(String format, Object... values) {
    progress.printf(Locale.ROOT, "  " + format + "%n", values);
    progress.flush();
  }

  /** Rounds of load on one deployment, with one fault after the other. For one thread. */
  private final class Rounds {
    private final Deployment deployment;
    private final History history;
    private final Canaries canaries;
    private final List<Fault> chosen;
    private final ShuffledFaults shuffled;
    private final TortureReport report;

    Rounds(Deployment deployment, History history, Canaries canaries, List<Fault> chosen) {
      this.deployment = deployment;
      this.history = history;
      this.canaries = canaries;
      this.chosen = chosen;
      report = new TortureReport(settings.seed(), chosen);
      shuffled =
          new ShuffledFaults(
              chosen.stream().filter(fault -> fault.skipped().isEmpty()).toList(), settings.seed());
    }

    TortureReport run(PoliteClients clients) {
      double rate = settings.rate() > 0 ? settings.rate() : calibrate();
      clients.start();
      history.add(
          "start",
          new JsonObject()
              .put("seed", settings.seed())
              .put("rate", rate)
              .put("brokers", settings.brokers())
              .put("faults", new JsonArray(chosen.stream().map(Fault::name).toList())));
      long end = System.nanoTime() + settings.length().toNanos();
      while (System.nanoTime() < end && report.cycles() < settings.faults()) {
        round(rate, end);
      }
      report.add(zombies);
      report.add(polite, settings.politeRatio());
      return report;
    }

    private void round(double rate, long end) {
      long roundEnd = Math.min(end, System.nanoTime() + settings.round().toNanos());
      List<AuditRun> load = new ArrayList<>();
      load.add(
          AuditRun.http(
              deployment.audited(() -> faults(load.get(0), roundEnd)),
              load(rate, WARM_UP),
              progress));
      AuditRun run = load.get(0);
      AuditReport checked = run.run();
      report.add(checked);
      new DatabaseCheck(deployment.database(), report).run(run.queues(), checked);
      history.add(
          "checked",
          new JsonObject()
              .put("pushed", checked.of(Count.PUSHED))
              .put("delivered", checked.of(Count.DELIVERED))
              .put("violations", new JsonArray(checked.violations().examples())));
      say(
          "checked: %,d messages, %d violations",
          checked.of(Count.PUSHED), checked.violations().total());
      forgetQueues(run);
    }

    /** The queues of a round would only fill the disk. */
    private void forgetQueues(AuditRun run) {
      for (String queue : run.queues()) {
        deployment.database().query("delete from queen.queues where name = '" + queue + "'");
      }
    }

    /** Half of what all of this does together when nothing is wrong. */
    private double calibrate() {
      AuditRun run =
          AuditRun.http(deployment.audited(() -> {}), load(FASTEST, CALIBRATION), progress);
      AuditReport full = run.run();
      report.add(full);
      forgetQueues(run);
      double most = full.of(Count.PUSHED) / (full.pushSeconds() + full.drainSeconds());
      double rate = Math.max(SLOWEST, Math.rint(most * SHARE));
      say("%.0f messages/s at full speed, so %.0f messages/s from now on", most, rate);
      return rate;
    }

    private void faults(AuditRun load, long end) {
      try (Sampler sampler = new Sampler(load)) {
        polite.quiet(System.nanoTime());
        Blocking.sleep(settings.window());
        while (System.nanoTime() < end
            && report.cycles() < settings.faults()
            && load.count(Count.PUSHED) < MOST_MESSAGES) {
          Cycle cycle = cycle(shuffled.next(), sampler);
          report.add(cycle);
          say("%s; %d violations", cycle, load.violations());
          history.add("cycle", cycle.json().put("violations", load.violations()));
        }
      } finally {
        // What follows is no steady load any more.
        polite.leaveOut(System.nanoTime());
      }
    }

    private Cycle cycle(ShuffledFaults.SeededFault seeded, Sampler sampler) {
      int number = report.cycles() + 1;
      Fault fault = seeded.fault();
      String name = "%s (cycle %d)".formatted(fault.name(), number);
      JsonObject event = new JsonObject().put("number", number).put("fault", fault.name());
      Duration held = fault.length(seeded.random());
      long start = System.nanoTime();
      double before = sampler.rate(start - settings.window().toNanos(), start);
      history.add("inject", event);
      polite.leaveOut(start);
      Fault.Healing healing = inject(seeded, name);
      if (healing instanceof Fault.Attack attack) {
        polite.attack(System.nanoTime(), fault.name(), attack.broker());
      }
      Blocking.sleep(held);
      long healed = System.nanoTime();
      polite.leaveOut(healed);
      heal(healing, name);
      if (healing instanceof Fault.Attack attack) {
        report.addAnswers(fault.name(), attack.answers());
      }
      history.add("heal", event);
      OptionalDouble recovery = canaries.await(healed, RECOVERY_LIMIT);
      if (recovery.isEmpty()) {
        report.trouble(
            "%s: brokers %s did not work again within %s"
                .formatted(name, canaries.silent(healed), RECOVERY_LIMIT));
      }
      check(healing, name);
      long from = Math.max(System.nanoTime(), healed + settings.settle().toNanos());
      Blocking.sleep(Duration.ofNanos(Math.max(0, from - System.nanoTime())));
      polite.quiet(System.nanoTime());
      Blocking.sleep(settings.window());
      double after = sampler.rate(from, from + settings.window().toNanos());
      return new Cycle(number, fault.name(), (healed - start) / NANOS, recovery, before, after);
    }

    private Fault.Healing inject(ShuffledFaults.SeededFault seeded, String name) {
      try {
        return seeded.fault().injection().inject(seeded.random());
      } catch (IllegalStateException e) {
        report.trouble(name + " could not be injected: " + e.getMessage());
        return deployment::repair;
      }
    }

    private void heal(Fault.Healing healing, String name) {
      try {
        healing.heal();
      } catch (IllegalStateException e) {
        report.trouble(name + " could not be healed: " + e.getMessage());
        deployment.repair();
      }
    }

    /** A broker that ended by itself is at fault, and is started again for those that follow. */
    private void check(Fault.Healing healing, String name) {
      try {
        healing.check();
      } catch (IllegalStateException e) {
        report.trouble(name + ": " + e.getMessage());
      }
      for (Member member : deployment.members()) {
        if (!member.isAlive()) {
          report.trouble(
              "%s: broker %s is gone:%n%s".formatted(name, member.name(), member.tail()));
          member.start();
        }
      }
    }
  }
}
