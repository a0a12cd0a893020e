package dev.queenmq.bench.http;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How fast messages that wait are fetched and acknowledged, by one group or by many. It ends before
 * the queue is empty: consumers that find nothing are another workload.
 */
public final class PopMeasurement {
  private static final int USUAL_BATCH = 100;
  private static final int FILL_BATCH = 100;
  private static final int PARTITIONS = 50;
  private static final int CONNECTIONS = 16;
  private static final int CONNECTIONS_PER_GROUP = 2;

  /** What may be consumed of what was stored: partitions empty at different times. */
  private static final double SHARE = 0.8;

  /** How long filling may take, to the length of the measurement. */
  private static final int LONGEST_FILLING = 6;

  /**
   * How often each consumer finds a full batch at least. The first half of what may be consumed
   * goes while clients find their way, and each may be in the middle of a batch when that ends.
   */
  private static final int LEAST_BATCHES = 8;

  private static final Duration LONGEST_LEAST_FILLING = Duration.ofMinutes(1);

  private final LoadTarget target;
  private final int batch;

  PopMeasurement(LoadTarget target) {
    this(target, USUAL_BATCH);
  }

  /** Measures this by batches. */
  public PopMeasurement(LoadTarget target, int batch) {
    this.target = target;
    this.batch = batch;
  }

  static String name(int batch, int groups) {
    return groups == 1
        ? "pop+ack batch " + batch
        : "pop+ack batch " + batch + ", " + groups + " groups";
  }

  Result run(List<String> groups) {
    return run(groups, OptionalLong.empty());
  }

  /**
   * Measures.
   *
   * @param expected how many messages each group will probably consume; without it the queue is
   *     filled for about as long as it takes to empty it
   */
  public Result run(List<String> groups, OptionalLong expected) {
    Plan plan = target.plan();
    String queue = target.newQueue("pop", PARTITIONS);
    String title = name(batch, groups.size());
    int connections =
        groups.size() == 1
            ? plan.connections().orElse(CONNECTIONS)
            : groups.size() * CONNECTIONS_PER_GROUP;
    long least = (long) LEAST_BATCHES * batch * connections / groups.size();
    long stored = fill(queue, title, groups.size(), expected, least);
    Meter meter = new Meter();
    Window window = target.window(meter, title);
    long enough = Math.round(stored * groups.size() * SHARE);
    try (Connections lanes = target.connect(connections);
        ClosedLoop loop = new ClosedLoop(meter)) {
      // All before the first begins: to subscribe may take longer than to consume.
      List<MessageConsumer> consumers = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        Demand demand = new Demand(groups.get(i % groups.size()), batch, false);
        consumers.add(lanes.consumer(i, queue, demand));
      }
      for (int i = 0; i < connections; i++) {
        loop.start(lanes.context(i), consumers.get(i)::takeAndAck);
      }
      // Clients find their way first; a small queue must last for what counts.
      window.run(plan.warmUp(), () -> meter.messages() >= enough / 2);
      window.awaitFirst();
      window.open();
      window.run(plan.length(), () -> meter.messages() >= enough);
      if (meter.messages() < enough) {
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
    } finally {
      target.release(queue);
    }
  }

  private long fill(String queue, String title, int groups, OptionalLong expected, long least) {
    Duration length = target.plan().length();
    Meter meter = new Meter();
    try (Connections lanes = target.connect(CONNECTIONS)) {
      try (ClosedLoop loop = new ClosedLoop(meter)) {
        for (int i = 0; i < CONNECTIONS; i++) {
          int number = i;
          MessageProducer producer = lanes.filler(i, queue, PARTITIONS);
          loop.start(lanes.context(i), () -> producer.push(FILL_BATCH, number));
        }
        Window window = target.window(meter, title + ", filling");
        if (expected.isPresent()) {
          long wanted = Math.round(expected.getAsLong() / SHARE);
          window.run(length.multipliedBy(LONGEST_FILLING), () -> meter.messages() >= wanted);
          window.awaitFirst();
        } else {
          window.warmUp(length.dividedBy(groups == 1 && batch == FILL_BATCH ? 1 : 4));
        }
        window.run(LONGEST_LEAST_FILLING, () -> meter.messages() >= least);
      }
      return meter.messages();
    }
  }
}
