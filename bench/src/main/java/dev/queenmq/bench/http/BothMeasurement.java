package dev.queenmq.bench.http;

import io.vertx.core.json.JsonObject;

/** How many messages go through when producers and consumers work at once, as fast as they can. */
final class BothMeasurement {
  private static final int PARTITIONS = 50;
  private static final int PRODUCERS = 10;
  private static final int CONSUMERS = 20;

  private final LoadTarget target;
  private final int batch;

  BothMeasurement(LoadTarget target, int batch) {
    this.target = target;
    this.batch = batch;
  }

  static String name(int batch) {
    return "push and pop+ack at once, batch " + batch;
  }

  /** What was consumed. */
  Result run() {
    Plan plan = target.plan();
    String queue = target.newQueue("both", PARTITIONS);
    Meter pushed = new Meter();
    Meter consumed = new Meter();
    Window window = target.window(consumed, name(batch));
    try (Connections producing = target.connect(PRODUCERS);
        Connections consuming = target.connect(CONSUMERS);
        ClosedLoop producers = new ClosedLoop(pushed);
        ClosedLoop consumers = new ClosedLoop(consumed)) {
      for (int i = 0; i < PRODUCERS; i++) {
        int number = i;
        MessageProducer producer = producing.producer(i, queue, PARTITIONS);
        producers.start(producing.context(i), () -> producer.push(batch, number));
      }
      for (int i = 0; i < CONSUMERS; i++) {
        MessageConsumer consumer = consuming.consumer(i, queue, new Demand("", batch, true));
        consumers.start(consuming.context(i), consumer::takeAndAck);
      }
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
}
