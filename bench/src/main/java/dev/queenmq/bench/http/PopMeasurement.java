package dev.queenmq.bench.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** How fast messages that wait are fetched and acknowledged, by one group or by many. */
final class PopMeasurement {
  private static final int USUAL_BATCH = 100;
  private static final int FILL_BATCH = 100;
  private static final int PARTITIONS = 50;
  private static final int CONNECTIONS = 16;
  private static final int CONNECTIONS_PER_GROUP = 2;

  private final Generator generator;
  private final int batch;

  PopMeasurement(Generator generator) {
    this(generator, USUAL_BATCH);
  }

  PopMeasurement(Generator generator, int batch) {
    this.generator = generator;
    this.batch = batch;
  }

  static String name(int groups) {
    return name(USUAL_BATCH, groups);
  }

  static String name(int batch, int groups) {
    return groups == 1
        ? "pop+ack batch " + batch
        : "pop+ack batch " + batch + ", " + groups + " groups";
  }

  Result run(List<String> groups) {
    Plan plan = generator.plan();
    String queue = generator.newQueue("pop");
    String title = name(batch, groups.size());
    // Filled for as long as it takes to empty it, about.
    Duration filling = plan.length().dividedBy(groups.size() == 1 && batch == FILL_BATCH ? 1 : 4);
    long stored = fill(queue, title, filling);
    int connections =
        groups.size() == 1
            ? plan.connections().orElse(CONNECTIONS)
            : groups.size() * CONNECTIONS_PER_GROUP;
    Meter meter = new Meter();
    Window window = generator.window(meter, title);
    long all = stored * groups.size();
    try (Lanes lanes = generator.lanes(connections);
        ClosedLoop loop = new ClosedLoop(meter)) {
      loop.start(lanes, connections, (lane, number) -> worker(lane, queue, groups, number));
      window.open();
      window.run(plan.length(), () -> meter.messages() >= all);
      if (meter.messages() < all) {
        window.awaitFirst();
      }
      return window.close(
          groups.size() == 1 ? "pop_ack" : "fan_out",
          new JsonObject()
              .put("batch", batch)
              .put("partitions", PARTITIONS)
              .put("connections", connections)
              .put("groups", groups.size())
              .put("stored", stored));
    }
  }

  private long fill(String queue, String title, Duration length) {
    Meter meter = new Meter();
    try (Lanes lanes = generator.lanes(CONNECTIONS)) {
      try (ClosedLoop loop = new ClosedLoop(meter)) {
        loop.start(
            lanes,
            CONNECTIONS,
            (lane, number) -> {
              PushMaker maker = new PushMaker(generator.plan(), queue, PARTITIONS, number);
              return () -> Pushing.push(lane, maker.batch(FILL_BATCH, number), FILL_BATCH);
            });
        generator.window(meter, title + ", filling").warmUp(length);
      }
      return meter.messages();
    }
  }

  private ClosedLoop.Work worker(Lane lane, String queue, List<String> groups, int number) {
    String group = groups.get(number % groups.size());
    Consuming consuming = new Consuming(lane, queue, group, "batch=" + batch + "&autoAck=false");
    return () ->
        consuming
            .pop()
            .compose(
                messages ->
                    messages.isEmpty() ? Future.succeededFuture(0) : consuming.ack(messages));
  }
}
