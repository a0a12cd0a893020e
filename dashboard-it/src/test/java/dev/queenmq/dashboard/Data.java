package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.item;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A shop's queues: some traffic, a group that is behind, messages that fail, very many lanes. */
final class Data implements AutoCloseable {
  /** Lanes of the queue {@code devices}; 100,000 take a quiet machine some time. */
  static final int LANES = Integer.getInteger("queen.lanes", 3_000);

  private static final int STEP = 1_000;

  private final Broker broker;
  private final ScheduledExecutorService traffic = new ScheduledThreadPoolExecutor(1);
  private final AtomicInteger serial = new AtomicInteger();
  private volatile boolean resting;

  Data(Broker broker) {
    this.broker = broker;
  }

  /** Makes what all tests look at; what a test changes it makes itself. */
  void make() {
    orders();
    deadLetters("payments", 6, "card was declined");
    deadLetters("payments", 3, "gateway timeout");
    traces();
    stream();
    devices();
    traffic.scheduleWithFixedDelay(this::trade, 0, 250, TimeUnit.MILLISECONDS);
    if (Browser.takesPictures()) {
      settle();
    }
  }

  private void orders() {
    List<JsonObject> items = new ArrayList<>();
    for (int lane = 0; lane < 40; lane++) {
      for (int i = 0; i < 3; i++) {
        items.add(
            item(
                "orders",
                "customer-%02d".formatted(lane),
                "order-%02d-%d".formatted(lane, i),
                new JsonObject()
                    .put("order", lane * 100 + i)
                    .put("customer", "customer-%02d".formatted(lane))
                    .put(
                        "lines",
                        new JsonArray().add(new JsonObject().put("sku", "A-17").put("quantity", 2)))
                    .put("total", new JsonObject().put("currency", "EUR").put("cents", 12_990))));
      }
    }
    broker.post(
        "/api/v1/configure",
        new JsonObject()
            .put("queue", "orders")
            .put("options", new JsonObject().put("leaseTime", 3_600)));
    broker.push(items);
    broker.ack(broker.take("orders", "mailer", 60, 20), "completed", "");
    // Held for as long as the tests run.
    broker.take("orders", "mailer", 6, 2);
    broker.ack(broker.take("orders", "analytics", 120, 40), "completed", "");
  }

  /** A queue with dead letters of a group. */
  void deadLetters(String queue, int count, String error) {
    List<JsonObject> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = serial.incrementAndGet();
      items.add(
          item(
              queue,
              "card-" + i,
              queue + "-" + number,
              new JsonObject().put("payment", number).put("cents", 4_200)));
    }
    broker.push(items);
    List<JsonObject> taken = broker.take(queue, "charger", 100, 100);
    broker.ack(taken, "dlq", error);
  }

  private void traces() {
    broker.push(List.of(item("shipping", "parcel-1", "ship-1", new JsonObject().put("parcel", 1))));
    JsonObject message = broker.take("shipping", "carrier", 1, 1).get(0);
    for (String step : List.of("picked", "packed", "handed over")) {
      broker.post(
          "/api/v1/traces",
          new JsonObject()
              .put("transactionId", message.getString("transactionId"))
              .put("partitionId", message.getString("partitionId"))
              .put("consumerGroup", "carrier")
              .put("eventType", "step")
              .put("traceNames", new JsonArray().add("order-4711"))
              .put("data", new JsonObject().put("step", step)));
    }
    broker.ack(List.of(message), "completed", "");
  }

  private void stream() {
    String query =
        broker
            .post(
                "/streams/v1/queries",
                new JsonObject()
                    .put("name", "order-totals")
                    .put("source_queue", "orders")
                    .put("sink_queue", "totals")
                    .put("config_hash", "v1"))
            .getString("query_id");
    JsonObject popped = broker.take("orders", "totals", 1, 1).get(0);
    broker.post(
        "/streams/v1/cycle",
        new JsonObject()
            .put("query_id", query)
            .put("partition_id", popped.getString("partitionId"))
            .put("consumer_group", "totals")
            .put(
                "state_ops",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("type", "upsert")
                            .put("key", "customer-00")
                            .put("value", new JsonObject().put("cents", 38_970))))
            .put(
                "ack",
                new JsonObject()
                    .put("transactionId", popped.getString("transactionId"))
                    .put("leaseId", popped.getString("leaseId"))));
  }

  private void devices() {
    for (int from = 0; from < LANES; from += STEP) {
      List<JsonObject> items = new ArrayList<>();
      for (int i = from; i < Math.min(LANES, from + STEP); i++) {
        items.add(
            item(
                "devices",
                "device-%06d".formatted(i),
                "reading-" + i,
                new JsonObject().put("celsius", 20 + i % 10)));
      }
      broker.push(items);
    }
    broker.pop("devices", "recorder", 1, 1);
  }

  /** No traffic until the same is asked with false. */
  void rest(boolean wanted) {
    resting = wanted;
  }

  /** A little traffic, so that there are rates. */
  private void trade() {
    if (resting) {
      return;
    }
    List<JsonObject> items = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int number = serial.incrementAndGet();
      items.add(
          item(
              "mail.out",
              "user-" + number % 25,
              "mail-" + number,
              new JsonObject().put("template", "receipt").put("number", number)));
    }
    try {
      broker.push(items);
      List<JsonObject> taken = broker.pop("mail.out", "smtp", 12, 12);
      if (!taken.isEmpty()) {
        boolean fails = serial.get() % 5 == 0;
        broker.ack(taken.subList(0, taken.size() - 1), "completed", "");
        broker.ack(
            taken.subList(taken.size() - 1, taken.size()),
            fails ? "failed" : "completed",
            fails ? "451 try later" : "");
      }
    } catch (RuntimeException e) {
      // The broker ends before this does.
    }
  }

  /** Pictures are better with some minutes of history. */
  private static void settle() {
    try {
      Thread.sleep(
          Duration.ofMinutes(Integer.getInteger("queen.screenshots.minutes", 0)).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    traffic.shutdownNow();
  }
}
