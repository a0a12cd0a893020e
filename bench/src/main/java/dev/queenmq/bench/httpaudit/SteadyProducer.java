package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerClient;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Pushes its sequences at a steady rate, whatever the answers take: what is due meanwhile goes in
 * the next call. A call without an answer it repeats, but for a few that it leaves alone.
 */
final class SteadyProducer extends Actor {
  private static final int LARGEST = 100;
  private static final double NANOS = 1e9;

  /**
   * What nobody could push for so long is not pushed at all: the rate after it would not be ours.
   */
  private static final double LONGEST_DEBT = 2;

  /** Beyond, consumers are behind for a reason of their own. */
  private static final long MOST_OPEN = 200_000;

  private final int number;
  private final double rate;
  private final RandomGenerator random;
  private final Map<Integer, Integer> next = new HashMap<>();
  private double due;
  private long last = System.nanoTime();

  SteadyProducer(Scene scene, int number, RandomGenerator random) {
    super(scene, Phase.RUN);
    this.number = number;
    this.random = random;
    rate = scene.settings().manners().rate() / scene.settings().producers();
    // Not all at the same moment.
    due = -random.nextDouble();
  }

  @Override
  Future<Void> step() {
    long now = System.nanoTime();
    due = Math.min(due + (now - last) / NANOS * rate, Math.max(1, LONGEST_DEBT * rate));
    last = now;
    if (due < 1 || ledger().backlog() > MOST_OPEN) {
      long millis = Math.round(Math.max(0, 1 - due) / rate * 1000);
      return scene().pause(Duration.ofMillis(Math.max(5, Math.min(200, millis))));
    }
    int count = (int) Math.min(LARGEST, due);
    due -= count;
    PushPlan plan = new PushPlan(scene(), number, next, random, count, random.nextInt(4) == 0);
    boolean insists = random.nextInt(1000) >= scene().settings().manners().unknownPerMille();
    return push(plan, insists, true);
  }

  private Future<Void> push(PushPlan plan, boolean insists, boolean certain) {
    if (scene().phase() == Phase.STOP) {
      return Future.succeededFuture();
    }
    ledger().add(Count.PUSH_CALLS);
    return wire()
        .post(BrokerClient.PUSH, plan.body())
        .map(Answers::push)
        .map(results -> plan.settle(results, certain, wire().last().toString()))
        .transform(
            answer -> {
              if (answer.succeeded() && answer.result()) {
                return Future.succeededFuture();
              }
              if (answer.failed()) {
                note(answer.cause());
                ledger()
                    .trouble(
                        PushTrouble.of(
                            answer.cause(), wire().isToldWhen(), scene().isUp(wire().last())));
              }
              if (!insists) {
                ledger().add(Count.UNKNOWN, plan.unknown());
                return Future.succeededFuture();
              }
              ledger().add(Count.PUSHES_AGAIN);
              return scene()
                  .pause(Duration.ofMillis(20 + random.nextInt(60)))
                  .compose(waited -> push(plan, true, false));
            });
  }
}
