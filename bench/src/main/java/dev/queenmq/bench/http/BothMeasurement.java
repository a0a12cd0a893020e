package dev.queenmq.bench.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** How many messages go through when producers and consumers work at once, as fast as they can. */
final class BothMeasurement {
  private static final int PARTITIONS = 50;
  private static final int PRODUCERS = 10;
  private static final int CONSUMERS = 20;

  private final Generator generator;
  private final int batch;

  BothMeasurement(Generator generator, int batch) {
    this.generator = generator;
    this.batch = batch;
  }

  static String name(int batch) {
    return "push and pop+ack at once, batch " + batch;
  }

  /** What was consumed. */
  Result run() {
    Plan plan = generator.plan();
    String queue = generator.newQueue("both", PARTITIONS);
    Meter pushed = new Meter();
    Meter consumed = new Meter();
    Window window = generator.window(consumed, name(batch));
    try (Lanes producing = generator.lanes(PRODUCERS);
        Lanes consuming = generator.lanes(CONSUMERS);
        ClosedLoop producers = new ClosedLoop(pushed);
        ClosedLoop consumers = new ClosedLoop(consumed)) {
      producers.start(
          producing,
          PRODUCERS,
          (lane, number) -> {
            PushMaker maker = new PushMaker(plan, queue, PARTITIONS, number);
            return () -> Pushing.push(lane, maker.batch(batch, number), batch);
          });
      consumers.start(consuming, CONSUMERS, (lane, number) -> consumer(lane, queue));
      window.warmUp(plan.warmUp());
      long before = pushed.messages();
      window.open();
      window.run(plan.length(), () -> false);
      window.awaitFirst();
      return window.close(
          "both",
          new JsonObject()
              .put("batch", batch)
              .put("partitions", PARTITIONS)
              .put("pushed", pushed.messages() - before));
    }
  }

  private ClosedLoop.Work consumer(Lane lane, String queue) {
    Consuming consuming =
        new Consuming(lane, queue, "", "batch=" + batch + "&wait=true&timeout=1000");
    return () ->
        consuming
            .pop()
            .compose(
                messages ->
                    messages.isEmpty() ? Future.succeededFuture(0) : consuming.ack(messages));
  }
}
