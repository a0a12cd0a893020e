package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Pushes its sequences, one call after the other. A call whose answer it did not get, or pretends
 * not to have got, it repeats.
 */
final class HttpProducer extends Actor {
  /** Producers are faster than consumers that die: without a limit the end would never come. */
  private static final long MOST_OPEN = 20_000;

  private final int number;
  private final RandomGenerator random;
  private final Map<Integer, Integer> next = new HashMap<>();

  HttpProducer(Scene scene, int number, RandomGenerator random) {
    super(scene, Phase.RUN);
    this.number = number;
    this.random = random;
  }

  @Override
  Future<Void> step() {
    if (ledger().backlog() > MOST_OPEN) {
      return scene().pause(Duration.ofMillis(random.nextInt(200)));
    }
    PushPlan plan = PushPlan.any(scene(), number, next, random);
    return pushUntilAnswered(plan, true)
        .compose(done -> chance(5) ? pushUntilAnswered(plan, false) : Future.succeededFuture())
        .compose(done -> scene().pause(Duration.ofMillis(random.nextInt(20))));
  }

  /** Goes on until there is an answer: the next sequence numbers must come behind these. */
  private Future<Void> pushUntilAnswered(PushPlan plan, boolean certain) {
    if (scene().phase() == Phase.STOP) {
      return Future.succeededFuture();
    }
    ledger().add(Count.PUSH_CALLS);
    return send(plan)
        .map(Answers::push)
        .map(results -> plan.settle(results, certain, wire().last().toString()))
        .transform(
            answer -> {
              if (answer.succeeded() && answer.result()) {
                return Future.succeededFuture();
              }
              if (answer.failed()) {
                note(answer.cause());
                if (!(answer.cause() instanceof CutException)) {
                  ledger().trouble(trouble(answer.cause()));
                }
              }
              ledger().add(Count.PUSHES_AGAIN);
              return scene()
                  .pause(Duration.ofMillis(random.nextInt(60)))
                  .compose(waited -> pushUntilAnswered(plan, false));
            });
  }

  private PushTrouble trouble(Throwable failure) {
    return PushTrouble.of(failure, wire().isToldWhen(), scene().isUp(wire().last()));
  }

  private Future<Reply> send(PushPlan plan) {
    if (scene().phase() == Phase.RUN && chance(15)) {
      ledger().add(Count.PRODUCERS_CUT);
      return chance(40)
          ? wire().postHalf(BrokerClient.PUSH, plan.body())
          : wire()
              .postOrCut(BrokerClient.PUSH, plan.body(), Duration.ofMillis(1 + random.nextInt(15)));
    }
    return wire().post(BrokerClient.PUSH, plan.body());
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
