package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One audit from start to end. Blocks; for one use. */
public final class HttpAuditRun {
  private static final int TRIES = 5;
  private static final Duration MESSAGES_LIMIT = Duration.ofMinutes(10);
  private static final Duration LAST_PUSHES = Duration.ofSeconds(60);
  private static final Duration SECOND_THOUGHTS = Duration.ofMillis(1500);
  private static final Duration GLANCE = Duration.ofMillis(200);
  private static final Duration TELL = Duration.ofSeconds(5);
  private static final double NANOS = 1e9;

  private final AuditedBrokers brokers;
  private final HttpAuditSettings settings;
  private final PrintWriter progress;
  private final int groups;
  private final HttpLedger ledger;
  private final Names names;
  private final Random random;

  /** An audit in a new queue of these brokers. */
  public HttpAuditRun(AuditedBrokers brokers, HttpAuditSettings settings, PrintWriter progress) {
    this.brokers = brokers;
    this.settings = settings;
    this.progress = progress;
    groups = settings.allGroups();
    ledger = new HttpLedger(settings, groups);
    names = new Names("audit-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX));
    random = new Random(settings.seed());
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
  public HttpAuditReport run() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      // A connection that is cut while nobody uses it has nobody else to tell.
      vertx.exceptionHandler(failure -> {});
      Context context = Blocking.get(StoreConnection.newContext(vertx));
      return run(new Scene(context, brokers, settings, names, ledger));
    } finally {
      Blocking.get(vertx.close());
    }
  }

  private HttpAuditReport run(Scene scene) {
    configure(scene);
    List<Future<Void>> consuming = start(scene, consumers(scene));
    long start = System.nanoTime();
    Future<?> producing = Future.join(start(scene, producers(scene)));
    await(scene, settings.duration(), () -> false);
    await(scene, MESSAGES_LIMIT, () -> ledger.of(Count.PUSHED) >= settings.messages());
    // Whatever breaks is to break under load, and what is read in the end is read only once.
    brokers.settle();
    scene.enter(Phase.DRAIN);
    await(scene, LAST_PUSHES, producing::isComplete);
    if (!producing.isComplete()) {
      unexpected(scene, "pushes without an answer after " + LAST_PUSHES);
    }
    long pushed = System.nanoTime();
    Silence silence = new Silence(settings.manners().silence());
    await(
        scene,
        settings.manners().drain(),
        () ->
            on(scene, () -> ledger.open(false) == 0 || silence.isLong(ledger.of(Count.DELIVERED))));
    if (on(scene, () -> ledger.open(true)) > 0) {
      // Whatever was not acknowledged by a lost ack comes again.
      await(scene, settings.lease().plus(SECOND_THOUGHTS), () -> false);
    }
    scene.enter(Phase.STOP);
    Blocking.get(Future.join(consuming));
    long drained = System.nanoTime();
    List<List<AuditedMessage>> partitions = Blocking.get(call(scene, () -> witness(scene)));
    return on(scene, () -> conclude(partitions, pushed - start, drained - pushed));
  }

  private Future<List<List<AuditedMessage>>> witness(Scene scene) {
    Witness witness = new Witness(scene);
    DeadLetters dead = new DeadLetters(scene);
    return witness
        .read()
        .compose(
            partitions ->
                (settings.manners().copying() ? witness.readCopies() : Future.succeededFuture())
                    .compose(copies -> dead.read())
                    .map(partitions))
        .eventually(witness::close)
        .eventually(dead::close);
  }

  private HttpAuditReport conclude(
      List<List<AuditedMessage>> partitions, long pushNanos, long drainNanos) {
    new FinalCheck(ledger, settings, partitions).run();
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    for (Count count : Count.values()) {
      counts.put(count, ledger.of(count));
    }
    return new HttpAuditReport(
        settings,
        counts,
        ledger.pushTroubles(),
        ledger.violations(),
        partitions.stream().mapToLong(List::size).sum(),
        pushNanos / NANOS,
        drainNanos / NANOS);
  }

  private void configure(Scene scene) {
    JsonObject body =
        new JsonObject()
            .put("queue", names.queue())
            .put(
                "options",
                new JsonObject()
                    .put("leaseTime", settings.leaseSeconds())
                    .put("retryLimit", settings.manners().retryLimit())
                    .put("retryDelay", 0));
    Wire wire = scene.newWire();
    Blocking.get(
        call(scene, () -> configure(wire, body.toBuffer(), TRIES)).eventually(wire::close));
  }

  /** A broker that has just started on a busy machine may close its first connections. */
  private static Future<Reply> configure(Wire wire, Buffer body, int tries) {
    return wire.post("/api/v1/configure", body)
        .map(Reply::orThrow)
        .recover(
            failure -> tries > 1 ? configure(wire, body, tries - 1) : Future.failedFuture(failure));
  }

  private List<Actor> producers(Scene scene) {
    List<Actor> producers = new ArrayList<>();
    for (int i = 0; i < settings.producers(); i++) {
      Random own = new Random(random.nextLong());
      producers.add(
          settings.manners().rate() > 0
              ? new SteadyProducer(scene, i, own)
              : new HttpProducer(scene, i, own));
    }
    return producers;
  }

  private List<Actor> consumers(Scene scene) {
    List<Actor> consumers = new ArrayList<>();
    Set<AuditedMessage> tried = new HashSet<>();
    for (int i = 0; i < settings.consumers() * groups; i++) {
      Random own = new Random(random.nextLong());
      int group = i % groups;
      consumers.add(
          settings.manners().copying() && group == groups - 1
              ? new CopyingConsumer(scene, group, tried, own)
              : new HttpConsumer(scene, group, own));
    }
    return consumers;
  }

  private static List<Future<Void>> start(Scene scene, List<Actor> actors) {
    return on(scene, () -> actors.stream().map(Actor::run).toList());
  }

  /** Waits so long, or until it is over, and tells now and then how it goes. */
  private void await(Scene scene, Duration length, BooleanSupplier over) {
    long end = System.nanoTime() + length.toNanos();
    long tell = System.nanoTime() + TELL.toNanos();
    while (System.nanoTime() < end && !over.getAsBoolean()) {
      Blocking.sleep(GLANCE);
      if (System.nanoTime() >= tell) {
        tell += TELL.toNanos();
        progress.printf(Locale.ROOT, "  %s%n", on(scene, this::state));
        progress.flush();
      }
    }
  }

  private String state() {
    return String.format(
        Locale.ROOT,
        "%,d pushed, %,d delivered, %,d open, %d violations",
        ledger.of(Count.PUSHED),
        ledger.of(Count.DELIVERED),
        ledger.open(false),
        ledger.violations().total());
  }

  private void unexpected(Scene scene, String what) {
    on(
        scene,
        () -> {
          ledger.violations().add(Violation.UNEXPECTED, what);
          return true;
        });
  }

  private static <T> T on(Scene scene, Supplier<T> task) {
    return Blocking.get(call(scene, () -> Future.succeededFuture(task.get())));
  }

  private static <T> Future<T> call(Scene scene, Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    scene
        .context()
        .runOnContext(go -> Future.succeededFuture().compose(ready -> task.get()).onComplete(done));
    return done.future();
  }

  /** Tells when nothing has come for so long that nothing will. */
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
