package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Pushes its sequences through either of two brokers, one call after the other. A call whose answer
 * it did not get, or pretends not to have got, it repeats, perhaps at the other broker.
 */
final class AuditProducer extends Worker {
  private final int number;
  private final List<MessageStore> brokers;
  private final Rehearsal rehearsal;
  private final TailCheck tailCheck;
  private final MessageIds ids;
  private final RandomGenerator random;

  AuditProducer(
      Stage stage,
      Context context,
      int number,
      List<MessageStore> brokers,
      TailCheck tailCheck,
      MessageIds ids,
      RandomGenerator random) {
    super(stage, context, Phase.RUN);
    this.number = number;
    this.brokers = brokers;
    this.rehearsal = new Rehearsal(stage, context);
    this.tailCheck = tailCheck;
    this.ids = ids;
    this.random = random;
  }

  @Override
  Future<Void> step() {
    PushPlan plan = new PushPlan(stage().ledger(), number, ids, random);
    boolean rehearse = random.nextInt(20) == 0;
    Future<Void> before =
        rehearse
            ? rehearsal.pushAndRollBack(plan.messages(), random.nextInt(20))
            : Future.succeededFuture();
    return before
        .compose(ready -> pushUntilAnswered(plan, true))
        .compose(
            done ->
                random.nextInt(20) == 0 ? pushUntilAnswered(plan, false) : Future.succeededFuture())
        .compose(
            done ->
                random.nextInt(4) == 0
                    ? stage().pause(Duration.ofMillis(random.nextInt(20)))
                    : Future.succeededFuture());
  }

  /** Goes on until there is an answer: the next sequence numbers must come behind these. */
  private Future<Void> pushUntilAnswered(PushPlan plan, boolean certain) {
    MessageStore broker = brokers.get(random.nextInt(brokers.size()));
    long sent = System.nanoTime();
    stage().ledger().tally().add(Tally.Count.PUSH_CALLS);
    return broker
        .push(plan.messages())
        .transform(
            answer -> {
              if (answer.succeeded()) {
                settle(plan, answer.result(), certain, sent);
                return Future.succeededFuture();
              }
              if (!note(answer.cause())) {
                return Future.failedFuture(answer.cause());
              }
              stage().ledger().tally().add(Tally.Count.PUSHES_AGAIN);
              return stage()
                  .pause(Duration.ofMillis(20 + random.nextInt(80)))
                  .compose(waited -> pushUntilAnswered(plan, false));
            });
  }

  private void settle(PushPlan plan, List<PushOutcome> outcomes, boolean certain, long sent) {
    plan.settle(outcomes, certain);
    if (certain) {
      outcomes.stream()
          .filter(PushOutcome.Queued.class::isInstance)
          .map(outcome -> ((PushOutcome.Queued) outcome).partitionId())
          .distinct()
          .forEach(partition -> tailCheck.pushed(partition, sent));
    }
  }
}
