package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.FinalCheck;
import dev.queenmq.bench.audit.ledger.Ledger;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.Violation;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** One audit from start to end. Blocks; for one use. */
public final class AuditRun {
  private static final Duration MESSAGES_LIMIT = Duration.ofMinutes(10);
  private static final Duration LAST_PUSHES = Duration.ofSeconds(60);
  private static final Duration REDELIVERY_MARGIN = Duration.ofMillis(1500);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);
  private static final double NANOS = 1e9;

  private final FrontEnd front;
  private final AuditSettings settings;
  private final PrintWriter progress;
  private final Ledger ledger;
  private final Names names =
      new Names("audit-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX));
  private final Random random;

  private AuditRun(FrontEnd front, AuditSettings settings, PrintWriter progress) {
    this.front = front;
    this.settings = settings;
    this.progress = progress;
    ledger = new Ledger(settings.allGroups());
    random = new Random(settings.seed());
  }

  /** An audit through HTTP, in a new queue of these brokers. */
  public static AuditRun http(
      AuditedBrokers brokers, AuditSettings settings, PrintWriter progress) {
    return new AuditRun(new HttpFront(brokers), settings, progress);
  }

  /** An audit of the Java client: its producers and consumers, in a new queue of these brokers. */
  public static AuditRun client(
      AuditedBrokers brokers, AuditSettings settings, PrintWriter progress) {
    return new AuditRun(new ClientFront(brokers), settings, progress);
  }

  /**
   * An audit straight at the store, in a new database of this name.
   *
   * @param kills how often PostgreSQL is killed meanwhile
   */
  public static AuditRun store(
      BenchPostgres postgres,
      String database,
      int kills,
      AuditSettings settings,
      PrintWriter progress) {
    return new AuditRun(new StoreFront(postgres, database, kills), settings, progress);
  }

  /** How often so far. Safe for any thread. */
  public long count(Count count) {
    return ledger.of(count);
  }

  /** How much was wrong so far. Safe for any thread. */
  public long violations() {
    return ledger.violations().total();
  }

  /** The queues of this audit. */
  public List<String> queues() {
    return List.of(names.queue(), names.copies());
  }

  /** Runs it. */
  public AuditReport run() {
    try (EventLoop loop = new EventLoop();
        front) {
      return run(new AuditContext(loop, settings, names, ledger));
    }
  }

  private AuditReport run(AuditContext audit) {
    front.open(audit);
    List<Future<Void>> consuming = start(audit, consumers(audit));
    long start = System.nanoTime();
    Future<?> producing = Future.join(start(audit, producers(audit)));
    push();
    // Whatever breaks is to break under load, and what is read in the end is read only once.
    front.settle();
    audit.enter(AuditContext.Phase.DRAIN);
    await(LAST_PUSHES, producing::isComplete);
    if (!producing.isComplete()) {
      ledger
          .violations()
          .add(Violation.UNEXPECTED, "pushes without an answer after " + LAST_PUSHES);
    }
    long pushed = System.nanoTime();
    Silence silence = new Silence(settings.behaviour().silence());
    await(
        settings.behaviour().drain(),
        () -> front.left() == 0 || silence.isLong(ledger.of(Count.DELIVERED)));
    if (audit.loop().on(() -> ledger.open(true)) > 0) {
      // Whatever was not acknowledged by a lost ack comes again.
      await(settings.lease().plus(REDELIVERY_MARGIN), () -> false);
    }
    audit.enter(AuditContext.Phase.STOP);
    Blocking.get(Future.join(consuming));
    long drained = System.nanoTime();
    new FinalCheck(ledger, settings.allGroups(), settings.behaviour().copying(), front.read())
        .run();
    return new AuditReport(
        front.through(),
        settings,
        ledger.counts(),
        ledger.pushTroubles(),
        ledger.violations(),
        front.notes(),
        (pushed - start) / NANOS,
        (drained - pushed) / NANOS);
  }

  /** Lets producers work for the time and the messages, and breaks something now and then. */
  private void push() {
    int parts = front.disturbances() + 1;
    for (int part = 1; part <= parts; part++) {
      long messages = settings.messages() * part / parts;
      await(settings.duration().dividedBy(parts), () -> false);
      await(MESSAGES_LIMIT, () -> ledger.of(Count.PUSHED) >= messages);
      if (part < parts) {
        front.disturb();
      }
    }
  }

  private List<Actor> producers(AuditContext audit) {
    List<Actor> producers = new ArrayList<>();
    for (int i = 0; i < settings.producers(); i++) {
      producers.add(new Producer(audit, front, i, new Random(random.nextLong())));
    }
    return producers;
  }

  private List<Actor> consumers(AuditContext audit) {
    List<Actor> consumers = new ArrayList<>(front.helpers());
    int groups = settings.allGroups();
    for (int i = 0; i < settings.consumers() * groups; i++) {
      boolean copies = i % groups >= settings.groups();
      consumers.add(front.newConsumer(audit, i % groups, copies, new Random(random.nextLong())));
    }
    return consumers;
  }

  private static List<Future<Void>> start(AuditContext audit, List<Actor> actors) {
    return audit.loop().on(() -> actors.stream().map(Actor::run).toList());
  }

  /** Waits for a time, or until it is over, and prints the progress now and then. */
  private void await(Duration length, BooleanSupplier over) {
    long end = System.nanoTime() + length.toNanos();
    long nextProgress = System.nanoTime() + PROGRESS_EVERY.toNanos();
    while (System.nanoTime() < end && !over.getAsBoolean()) {
      Blocking.sleep(POLL_INTERVAL);
      if (System.nanoTime() >= nextProgress) {
        nextProgress += PROGRESS_EVERY.toNanos();
        progress.printf(
            Locale.ROOT,
            "  %,d pushed, %,d delivered, about %,d open, %d violations%n",
            ledger.of(Count.PUSHED),
            ledger.of(Count.DELIVERED),
            ledger.backlog(),
            ledger.violations().total());
        progress.flush();
      }
    }
  }

  /** Whether no message has come for long enough to expect no more. */
  private static final class Silence {
    private final Duration limit;
    private long delivered = -1;
    private long since;

    Silence(Duration limit) {
      this.limit = limit;
    }

    boolean isLong(long deliveredNow) {
      if (deliveredNow != delivered) {
        delivered = deliveredNow;
        since = System.nanoTime();
      }
      return System.nanoTime() - since > limit.toNanos();
    }
  }
}
