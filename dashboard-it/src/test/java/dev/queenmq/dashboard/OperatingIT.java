package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What {@code docs/operating.md} says of the dashboard: three faults, found and fixed by clicking.
 */
class OperatingIT extends DashboardTest {

  @BeforeEach
  void enter() {
    browser.enter(ADMIN);
  }

  @Test
  void theLag_isAPausedGroup_thatGoesOn() {
    broker.push(orders(0, 1));
    broker.ack(broker.take("shop.orders", "mailer", 1, 1), "completed", "");
    broker.post("/api/v1/consumer-groups/mailer/queues/shop.orders/pause", new JsonObject());
    broker.push(orders(1, 31));

    browser.go("groups");
    browser.type("main input[type=search]", "shop.orders");
    browser.see("table", "paused");
    browser.seeNot("table", "analytics");
    browser.clickIn("tbody", "mailer");
    browser.see("h1", "on shop.orders");
    browser.see(".head .badge", "paused");
    browser.until("[data-tile='Lag'] .tile-value", "is 30", "30"::equals);
    browser.see("main", "No consumer holds a lease now");
    browser.see("main", "customer-81");
    browser.screenshot("operating-lag");

    browser.click("Resume");
    browser.told("The group goes on");
    browser.seeNot(".head", "paused");
    broker.ack(broker.take("shop.orders", "mailer", 100, 10), "completed", "");
    browser.until("[data-tile='Lag'] .tile-value", "is 0", "0"::equals);
  }

  private static List<JsonObject> orders(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                item(
                    "shop.orders",
                    "customer-" + (80 + i % 3),
                    "order-" + i,
                    new JsonObject().put("order", i)))
        .toList();
  }

  @Test
  void thePoisonMessage_isCorrected_andItsLetterRemoved() {
    broker.post(
        "/api/v1/configure",
        new JsonObject()
            .put("queue", "shop.payments")
            .put("options", new JsonObject().put("retryLimit", 1)));
    broker.push(
        List.of(
            item("shop.payments", "card-7", "pay-1", new JsonObject().put("cents", "12,90")),
            item("shop.payments", "card-7", "pay-2", new JsonObject().put("cents", 4_200))));
    for (int attempt = 0; attempt < 2; attempt++) {
      broker.ack(broker.take("shop.payments", "charger", 1, 1), "failed", "cents: not a number");
    }
    broker.ack(broker.take("shop.payments", "charger", 1, 1), "completed", "");

    browser.go("dead-letters");
    browser.see("table", "shop.payments");
    browser.clickIn("tbody", "cents: not a number");
    browser.see("h1", "Dead letters of shop.payments");
    browser.see("tbody", "pay-1");
    browser.clickIn("tbody", "Look inside");
    browser.see("pre.payload", "\"12,90\"");
    browser.screenshot("operating-poison");

    browser.find("tbody input[type=checkbox]").click();
    browser.click("Purge 1 chosen");
    browser.see("dialog .hits", "Letters\n1");
    browser.confirm("Purge");
    browser.told("1 dead letter removed");
    browser.see("tbody", "There are none");
    assertThat(broker.get("/api/v1/dlq?queue=shop.payments").getInteger("total")).isZero();
  }

  @Test
  void theStuckConsumer_losesItsLease() {
    broker.post(
        "/api/v1/configure",
        new JsonObject()
            .put("queue", "shop.parcels")
            .put("options", new JsonObject().put("leaseTime", 86_400)));
    broker.push(
        List.of(
            item("shop.parcels", "depot-1", "parcel-1", new JsonObject().put("parcel", 1)),
            item("shop.parcels", "depot-1", "parcel-2", new JsonObject().put("parcel", 2))));
    broker.take("shop.parcels", "carrier", 1, 1);

    browser.go("groups");
    browser.type("main input[type=search]", "shop.parcels");
    browser.until("td[data-label=Leases]", "is 1", "1"::equals);
    browser.clickIn("tbody", "carrier");
    browser.see("table", "0 of 1 done");
    browser.see("table", "127.0.0.1");
    browser.screenshot("operating-stuck");
    browser.click("Release");
    browser.see("dialog .hits", "Messages not done\n1");
    browser.confirm("Release");
    browser.told("Lease released on 1 lane");

    // Alone: it may be what made the consumer hang.
    assertThat(broker.take("shop.parcels", "carrier", 10, 1))
        .extracting(message -> message.getString("transactionId"))
        .containsExactly("parcel-1");
  }
}
