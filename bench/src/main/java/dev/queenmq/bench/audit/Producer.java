package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.Count;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Pushes its sequences, one call after the other: as fast as they are answered, or at a steady rate
 * whatever the answers take, and what is due meanwhile goes in the next call. A call whose answer
 * it did not get it repeats, but for a few that it leaves alone.
 */
final class Producer extends Actor {
  /** Producers are faster than consumers that die: without a limit the end would never come. */
  private static final long MOST_OPEN = 20_000;

  /** Beyond, consumers are behind for a reason of their own. */
  private static final long MOST_OPEN_AT_RATE = 200_000;

  private static final int LARGE = 200;
  private static final int LARGEST_AT_RATE = 100;
  private static final double NANOS = 1e9;

  /**
   * Messages that could not be pushed for this many seconds are skipped: otherwise the rate would
   * be wrong afterwards.
   */
  private static final double LONGEST_DEBT = 2;

  private final int number;
  private final PushClient client;
  private final ClientBehaviour behaviour;
  private final double rate;
  private final Random random;
  private final Map<Integer, Integer> next = new HashMap<>();
  private double due;
  private long last = System.nanoTime();

  Producer(AuditContext audit, FrontEnd front, int number, Random random) {
    super(audit, front, AuditContext.Phase.RUN);
    this.number = number;
    this.random = random;
    client = front.newPushClient(random);
    behaviour = settings().behaviour();
    rate = behaviour.rate() / settings().producers();
    // Not all at the same moment.
    due = -random.nextDouble();
  }

  @Override
  Future<Void> step() {
    return rate > 0 ? steadily() : restlessly();
  }

  private Future<Void> restlessly() {
    if (ledger().backlog() > MOST_OPEN) {
      return pauseMillis(random.nextInt(200));
    }
    int count = random.nextInt(60) == 0 ? LARGE : 1 + random.nextInt(12);
    PushPlan plan = plan(count, random.nextInt(3) == 0 || count == LARGE);
    return push(plan, true, true)
        .compose(
            done ->
                chance(behaviour.chances().repeatPush())
                    ? push(plan, true, false)
                    : Future.succeededFuture())
        .compose(done -> pauseMillis(random.nextInt(20)));
  }

  private Future<Void> steadily() {
    long now = System.nanoTime();
    due = Math.min(due + (now - last) / NANOS * rate, Math.max(1, LONGEST_DEBT * rate));
    last = now;
    if (due < 1 || ledger().backlog() > MOST_OPEN_AT_RATE) {
      long millis = Math.round(Math.max(0, 1 - due) / rate * 1000);
      return pause(Duration.ofMillis(Math.max(5, Math.min(200, millis))));
    }
    int count = (int) Math.min(LARGEST_AT_RATE, due);
    due -= count;
    return push(plan(count, random.nextInt(4) == 0), !chance(behaviour.unknownPerMille()), true);
  }

  private PushPlan plan(int count, boolean one) {
    return new PushPlan(audit(), number, next, random, count, one);
  }

  /** Goes on until there is an answer: the next sequence numbers must come behind these. */
  private Future<Void> push(PushPlan plan, boolean insists, boolean certain) {
    if (audit().phase() == AuditContext.Phase.STOP) {
      return Future.succeededFuture();
    }
    ledger().add(Count.PUSH_CALLS);
    return client
        .push(plan.messages(), sending())
        .map(results -> plan.settle(results, certain && !client.isRepeating(), client.broker()))
        .transform(
            answer -> {
              if (answer.succeeded() && answer.result()) {
                return Future.succeededFuture();
              }
              if (answer.failed() && note(answer.cause()) != FrontEnd.Failure.CUT) {
                client.trouble(answer.cause()).ifPresent(ledger()::trouble);
              }
              if (!insists) {
                ledger().add(Count.UNKNOWN, plan.unknown());
                return Future.succeededFuture();
              }
              ledger().add(Count.PUSHES_AGAIN);
              return pauseMillis(20 + random.nextInt(60))
                  .compose(waited -> push(plan, true, false));
            });
  }

  private AuditClient.Sending sending() {
    if (!audit().isRunning() || !chance(behaviour.chances().cutPush())) {
      return AuditClient.Sending.WHOLE;
    }
    ledger().add(Count.PRODUCERS_CUT);
    return chance(400)
        ? AuditClient.Sending.HALF
        : AuditClient.Sending.cutAfter(1 + random.nextInt(15));
  }

  private boolean chance(int perMille) {
    return random.nextInt(1000) < perMille;
  }

  @Override
  Future<Void> close() {
    return client.close();
  }
}
