package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The only consumer of the group that takes messages with autoAck: each at most once. */
final class AutoConsumer extends Worker {
  private static final Duration IDLE = Duration.ofMillis(15);

  private final Delivery delivery;

  AutoConsumer(Stage stage, Context context, MessageStore store, RandomGenerator random) {
    super(stage, context, Phase.DRAIN);
    delivery = new Delivery(stage, store, Names.AUTO_GROUP, true, random);
  }

  @Override
  Future<Void> step() {
    return delivery.next().compose(nothing -> stage().pause(IDLE));
  }
}
