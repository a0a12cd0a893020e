package dev.queenmq.bench.torture;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.audit.Violations;
import dev.queenmq.bench.cluster.Member;
import dev.queenmq.bench.httpaudit.Count;
import dev.queenmq.bench.httpaudit.HttpAuditReport;
import dev.queenmq.bench.httpaudit.HttpAuditRun;
import dev.queenmq.bench.httpaudit.HttpAuditSettings;
import dev.queenmq.bench.httpaudit.Manners;
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
    try (Plant plant = plant();
        History history = new History(settings.history())) {
      List<Fault> chosen = FaultList.of(plant, settings, zombies);
      plant.start();
      try (Canaries canaries = new Canaries(plant.urls());
          PoliteClients clients = new PoliteClients(plant.urls(), polite)) {
        return run(plant, chosen, history, canaries, clients);
      }
    }
  }

  /** Prints which faults there are. */
  public void list(PrintWriter out) {
    try (Plant plant = plant()) {
      for (Fault fault : FaultList.of(plant, settings, zombies)) {
        out.printf("%-20s %s%n", fault.name(), fault.text());
        fault.skipped().ifPresent(why -> out.printf("%-20s   not here: %s%n", "", why));
      }
      out.flush();
    }
  }

  private Plant plant() {
    boolean disks =
        settings.only().isEmpty()
            || settings.only().stream().anyMatch(name -> name.contains("disk"));
    return new Plant(
        options,
        new Plant.Plan(
            settings.jar(),
            settings.brokers(),
            settings.brokerSettings(),
            disks,
            !FaultList.isOnlyHostile(settings.only()),
            settings.seed()));
  }

  private TortureReport run(
      Plant plant, List<Fault> chosen, History history, Canaries canaries, PoliteClients clients) {
    TortureReport report = new TortureReport(settings.seed(), chosen);
    double rate = settings.rate() > 0 ? settings.rate() : calibrate(plant, report);
    clients.start();
    history.add(
        "start",
        new JsonObject()
            .put("seed", settings.seed())
            .put("rate", rate)
            .put("brokers", settings.brokers())
            .put("faults", new JsonArray(chosen.stream().map(Fault::name).toList())));
    Deck deck =
        new Deck(
            chosen.stream().filter(fault -> fault.skipped().isEmpty()).toList(), settings.seed());
    long end = System.nanoTime() + settings.length().toNanos();
    while (System.nanoTime() < end && report.cycles() < settings.faults()) {
      round(plant, history, canaries, report, deck, rate, end);
    }
    report.add(zombies);
    report.add(polite, settings.politeRatio());
    return report;
  }

  private void round(
      Plant plant,
      History history,
      Canaries canaries,
      TortureReport report,
      Deck deck,
      double rate,
      long end) {
    long roundEnd = Math.min(end, System.nanoTime() + settings.round().toNanos());
    List<HttpAuditRun> load = new ArrayList<>();
    load.add(
        new HttpAuditRun(
            plant.audited(
                () -> faults(plant, history, canaries, report, deck, load.get(0), roundEnd)),
            load(Manners.steady(rate), WARM_UP),
            progress));
    HttpAuditReport checked = load.get(0).run();
    report.add(checked);
    new DatabaseCheck(plant.database(), report).run(load.get(0).queues(), checked);
    history.add(
        "checked",
        new JsonObject()
            .put("pushed", checked.of(Count.PUSHED))
            .put("delivered", checked.of(Count.DELIVERED))
            .put("violations", new JsonArray(checked.violations().examples())));
    say(
        "checked: %,d messages, %d violations",
        checked.of(Count.PUSHED), checked.violations().total());
    load.get(0).queues().forEach(queue -> forget(plant, queue));
  }

  /** The queues of a round would only fill the disk. */
  private static void forget(Plant plant, String queue) {
    plant.database().query("delete from queen.queues where name = '" + queue + "'");
  }

  private HttpAuditSettings load(Manners manners, Duration length) {
    return new HttpAuditSettings(
        length,
        0,
        settings.producers(),
        settings.consumers(),
        settings.lanes(),
        1,
        settings.leaseSeconds(),
        settings.seed(),
        manners);
  }

  /** Half of what all of this does together when nothing is wrong. */
  private double calibrate(Plant plant, TortureReport report) {
    HttpAuditRun run =
        new HttpAuditRun(
            plant.audited(() -> {}), load(Manners.steady(FASTEST), CALIBRATION), progress);
    HttpAuditReport full = run.run();
    report.add(full);
    run.queues().forEach(queue -> forget(plant, queue));
    double most = full.of(Count.PUSHED) / (full.pushSeconds() + full.drainSeconds());
    double rate = Math.max(SLOWEST, Math.rint(most * SHARE));
    say("%.0f messages/s at full speed, so %.0f messages/s from now on", most, rate);
    return rate;
  }

  private void faults(
      Plant plant,
      History history,
      Canaries canaries,
      TortureReport report,
      Deck deck,
      HttpAuditRun load,
      long end) {
    try (Sampler sampler = new Sampler(load)) {
      polite.quiet(System.nanoTime());
      Waiting.sleep(settings.window());
      while (System.nanoTime() < end
          && report.cycles() < settings.faults()
          && load.count(Count.PUSHED) < MOST_MESSAGES) {
        Cycle cycle = cycle(plant, history, canaries, report, deck.next(), sampler);
        report.add(cycle);
        say(
            "%3d %-20s held %5.1f s, back after %s s, %.0f/s before, %.0f/s after; %d violations",
            cycle.number(),
            cycle.fault(),
            cycle.heldSeconds(),
            cycle.recoverySeconds().isPresent()
                ? "%.2f".formatted(cycle.recoverySeconds().getAsDouble())
                : "-",
            cycle.before(),
            cycle.after(),
            load.violations());
        history.add(
            "cycle",
            new JsonObject()
                .put("number", cycle.number())
                .put("fault", cycle.fault())
                .put("held", cycle.heldSeconds())
                .put("recovery", cycle.recoverySeconds().orElse(-1))
                .put("before", cycle.before())
                .put("after", cycle.after())
                .put("violations", load.violations()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      // What follows is no steady load any more.
      polite.leaveOut(System.nanoTime());
    }
  }

  private Cycle cycle(
      Plant plant,
      History history,
      Canaries canaries,
      TortureReport report,
      Deck.Card card,
      Sampler sampler)
      throws InterruptedException {
    int number = report.cycles() + 1;
    Fault fault = card.fault();
    Duration held = fault.length(card.random());
    long start = System.nanoTime();
    double before = sampler.rate(start - settings.window().toNanos(), start);
    history.add("inject", new JsonObject().put("number", number).put("fault", fault.name()));
    polite.leaveOut(start);
    Fault.Healing healing = inject(plant, report, card, number);
    if (healing instanceof Fault.Attack attack) {
      polite.attack(System.nanoTime(), fault.name(), attack.broker());
    }
    Waiting.sleep(held);
    long healed = System.nanoTime();
    polite.leaveOut(healed);
    heal(plant, report, healing, fault, number);
    if (healing instanceof Fault.Attack attack) {
      report.addAnswers(fault.name(), attack.answers());
    }
    history.add("heal", new JsonObject().put("number", number).put("fault", fault.name()));
    OptionalDouble recovery = canaries.await(healed, RECOVERY_LIMIT);
    if (recovery.isEmpty()) {
      report.trouble(
          "%s (cycle %d): brokers %s did not work again within %s"
              .formatted(fault.name(), number, canaries.silent(healed), RECOVERY_LIMIT));
    }
    check(report, healing, fault, number);
    checkAlive(plant, report, fault, number);
    long from = Math.max(System.nanoTime(), healed + settings.settle().toNanos());
    Waiting.sleep(Duration.ofNanos(Math.max(0, from - System.nanoTime())));
    polite.quiet(System.nanoTime());
    Waiting.sleep(settings.window());
    double after = sampler.rate(from, from + settings.window().toNanos());
    return new Cycle(number, fault.name(), (healed - start) / NANOS, recovery, before, after);
  }

  private static Fault.Healing inject(Plant plant, TortureReport report, Deck.Card card, int number)
      throws InterruptedException {
    try {
      return card.fault().injection().inject(card.random());
    } catch (IllegalStateException e) {
      report.trouble(
          "%s (cycle %d) could not be injected: %s"
              .formatted(card.fault().name(), number, e.getMessage()));
      return plant::mend;
    }
  }

  private static void heal(
      Plant plant, TortureReport report, Fault.Healing healing, Fault fault, int number)
      throws InterruptedException {
    try {
      healing.heal();
    } catch (IllegalStateException e) {
      report.trouble(
          "%s (cycle %d) could not be healed: %s".formatted(fault.name(), number, e.getMessage()));
      plant.mend();
    }
  }

  private static void check(TortureReport report, Fault.Healing healing, Fault fault, int number)
      throws InterruptedException {
    try {
      healing.check();
    } catch (IllegalStateException e) {
      report.trouble("%s (cycle %d): %s".formatted(fault.name(), number, e.getMessage()));
    }
  }

  /** One that ended by itself is at fault, and is started again for those that follow. */
  private static void checkAlive(Plant plant, TortureReport report, Fault fault, int number) {
    for (Member member : plant.members()) {
      if (!member.isAlive()) {
        report.trouble(
            "%s (cycle %d): broker %s is gone:%n%s"
                .formatted(fault.name(), number, member.name(), member.tail()));
        member.start();
      }
    }
  }

  private void say(String format, Object... values) {
    progress.printf(Locale.ROOT, "  " + format + "%n", values);
    progress.flush();
  }
}
