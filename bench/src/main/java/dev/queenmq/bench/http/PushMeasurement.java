package dev.queenmq.bench.http;

import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** How fast messages are taken in. */
final class PushMeasurement {
  private static final int SINGLE_CONNECTIONS = 200;
  private static final int BATCH_CONNECTIONS = 16;
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final Generator generator;

  PushMeasurement(Generator generator) {
    this.generator = generator;
  }

  static String name(int batch, int partitions) {
    return "push batch " + batch + ", " + partitions + " partitions";
  }

  Result run(int batch, int partitions) {
    return run(
        batch,
        partitions,
        generator.plan().connections().orElse(batch == 1 ? SINGLE_CONNECTIONS : BATCH_CONNECTIONS));
  }

  Result run(int batch, int partitions, int connections) {
    Plan plan = generator.plan();
    JsonObject parameters =
        new JsonObject()
            .put("batch", batch)
            .put("partitions", partitions)
            .put("connections", connections);
    String queue = generator.newQueue("push");
    Meter meter = new Meter();
    Window window = generator.window(meter, name(batch, partitions));
    try (Lanes lanes = generator.lanes(connections)) {
      if (plan.rate().isPresent()) {
        double rate = plan.rate().get();
        open(lanes.of(0), queue, batch, partitions, rate, meter, window);
        return window.close("push", parameters.put("rate", rate));
      }
      try (ClosedLoop loop = new ClosedLoop(meter)) {
        loop.start(lanes, connections, closed(queue, batch, partitions));
        window.warmUp(plan.warmUp());
        window.open();
        window.run(plan.length(), () -> false);
        window.awaitFirst();
        return window.close("push", parameters);
      }
    }
  }

  private ClosedLoop.Hiring closed(String queue, int batch, int partitions) {
    return (lane, number) -> {
      PushMaker maker = new PushMaker(generator.plan(), queue, partitions, number);
      return () -> Pushing.push(lane, maker.batch(batch, number), batch);
    };
  }

  private void open(
      Lane lane, String queue, int batch, int partitions, double rate, Meter meter, Window window) {
    PushMaker maker = new PushMaker(generator.plan(), queue, partitions, 1);
    Outstanding outstanding = new Outstanding();
    OpenLoop loop =
        new OpenLoop(
            lane.context(),
            rate / batch,
            due -> {
              outstanding.sent();
              Pushing.push(lane, maker.batch(batch, 0), batch)
                  .onSuccess(count -> meter.done(count, System.nanoTime() - due))
                  .onFailure(meter::failed)
                  .onComplete(answered -> outstanding.answered());
            });
    loop.start();
    window.warmUp(generator.plan().warmUp());
    window.open();
    window.run(generator.plan().length(), () -> false);
    loop.close();
    window.run(LAST_ANSWERS, outstanding::isNone);
  }
}
