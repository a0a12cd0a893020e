package dev.queenmq.bench.http;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** How fast messages are taken in. */
public final class PushMeasurement {
  private static final int SINGLE_CONNECTIONS = 200;
  private static final int BATCH_CONNECTIONS = 16;
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final LoadTarget target;

  /** Measures this. */
  public PushMeasurement(LoadTarget target) {
    this.target = target;
  }

  static String name(int batch, int partitions) {
    return name(batch, partitions, 1);
  }

  static String name(int batch, int partitions, int queues) {
    return "push batch "
        + batch
        + ", "
        + partitions
        + " partitions"
        + (queues == 1 ? "" : " of " + queues + " queues");
  }

  Result run(int batch, int partitions) {
    return run(batch, partitions, connections(batch), 1);
  }

  /** To several queues, which share the connections. Each has this number of partitions. */
  Result runTo(int queues, int batch, int partitions) {
    return run(batch, partitions, connections(batch), queues);
  }

  private int connections(int batch) {
    return target.plan().connections().orElse(batch == 1 ? SINGLE_CONNECTIONS : BATCH_CONNECTIONS);
  }

  /** Measures with this number of connections. */
  public Result run(int batch, int partitions, int connections) {
    return run(batch, partitions, connections, 1);
  }

  private Result run(int batch, int partitions, int connections, int queueCount) {
    Plan plan = target.plan();
    JsonObject parameters =
        new JsonObject()
            .put("batch", batch)
            .put("partitions", partitions)
            .put("connections", connections);
    if (queueCount > 1) {
      parameters.put("queues", queueCount);
    }
    List<String> queues = new ArrayList<>();
    for (int i = 0; i < queueCount; i++) {
      queues.add(target.newQueue("push", partitions));
    }
    Meter meter = new Meter();
    Window window = target.window(meter, name(batch, partitions, queueCount));
    try (Connections lanes = target.connect(connections)) {
      if (plan.rate().isPresent()) {
        double rate = plan.rate().get();
        open(lanes, queues.get(0), batch, partitions, rate, meter, window);
        return window.close("push", parameters.put("rate", rate));
      }
      try (ClosedLoop loop = new ClosedLoop(meter)) {
        for (int i = 0; i < connections; i++) {
          int number = i;
          MessageProducer producer = lanes.producer(i, queues.get(i % queueCount), partitions);
          loop.start(lanes.context(i), () -> producer.push(batch, number));
        }
        window.warmUp(plan.warmUp());
        window.open();
        window.run(plan.length(), () -> false);
        window.awaitFirst();
        return window.close("push", parameters);
      }
    } finally {
      queues.forEach(target::release);
    }
  }

  private void open(
      Connections lanes,
      String queue,
      int batch,
      int partitions,
      double rate,
      Meter meter,
      Window window) {
    MessageProducer producer = lanes.producer(0, queue, partitions);
    AtomicLong outstanding = new AtomicLong();
    OpenLoop loop =
        new OpenLoop(
            lanes.context(0),
            rate / batch,
            due -> {
              outstanding.incrementAndGet();
              producer
                  .push(batch, 0)
                  .onSuccess(count -> meter.done(count, System.nanoTime() - due))
                  .onFailure(meter::failed)
                  .onComplete(answered -> outstanding.decrementAndGet());
            });
    loop.start();
    window.warmUp(target.plan().warmUp());
    window.open();
    window.run(target.plan().length(), () -> false);
    loop.close();
    window.run(LAST_ANSWERS, () -> outstanding.get() == 0);
  }
}
