package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues, their lanes, their messages, their options. */
class QueuesIT extends DashboardTest {

  @BeforeEach
  void enter() {
    browser.enter(ADMIN);
  }

  private String queue(String name, int messages) {
    String queue = fresh(name);
    broker.push(
        IntStream.range(0, messages)
            .mapToObj(i -> item(queue, "lane-" + i, "m-" + i, new JsonObject().put("n", i)))
            .toList());
    return queue;
  }

  @Test
  void queues_areFoundAndSorted() {
    browser.go("queues");
    browser.see("table", "devices");
    browser.screenshot("dashboard-queues");
    assertThat(browser.text("tbody tr:first-child")).contains("devices");

    browser.clickIn("thead", "Queue");
    browser.until("th[aria-sort=ascending]", "is the name", text -> text.contains("Queue"));
    browser.clickIn("thead", "Queue▲");
    browser.until(
        "tbody tr:first-child .name", "is not devices", text -> !text.contains("devices"));
    browser.type("main input[type=search]", "PAY");
    browser.see("table", "payments");
    browser.seeNot("table", "devices");
    browser.type("main input[type=search]", "there is no such queue");
    browser.see("table", "No queue has");
  }

  @Test
  void aQueueOfVeryManyLanes_isReadable() {
    browser.go("queues/devices");

    browser.until(
        "[data-tile='Lanes'] .tile-value",
        "counts all",
        text -> text.equals(Data.LANES < 100_000 ? "%,d".formatted(Data.LANES) : "100K"));
    browser.see("nav.pager", "1 – 50 of");
    browser.clickIn("nav.pager", "Next ›");
    String lanes = "section:last-of-type table"; // the lanes by lag are any ten of equals
    browser.see(lanes, "device-000050");
    browser.type("section:last-of-type input[type=search]", "device-00009");
    browser.see(lanes, "device-000099");
    browser.seeNot(lanes, "device-000050");
    browser.see("table", "recorder");
    browser.screenshot("dashboard-many-lanes");
  }

  @Test
  void aMessage_isPushed_lookedAt_andDeleted() {
    String queue = queue("pushed", 1);
    browser.go("queues/" + queue);
    browser.click("Push a message");
    browser.fill("dialog [name=partition]", "customer-1");
    browser.fill("dialog [name=transactionId]", "by-hand");
    browser.fill("dialog [name=payload]", "{\"a\": ");
    browser.confirm("Push");
    browser.see("dialog .problem", "not JSON");
    browser.fill("dialog [name=payload]", "{\"greeting\":{\"text\":\"hello\"}}");
    browser.confirm("Push");
    browser.told("Message queued");
    browser.see("table", "customer-1");

    browser.clickIn("nav.tabs", "Messages");
    browser.see("table", "by-hand");
    browser.screenshot("dashboard-messages");
    browser.clickIn("table", "by-hand");
    browser.see("pre.payload", "\"greeting\": {\n    \"text\": \"hello\"\n  }");
    browser.see(".facts", "customer-1");

    browser.click("Delete");
    browser.see("dialog .hits", "by-hand");
    browser.confirm("Delete");
    browser.told("Message deleted");
    browser.see("table", "m-0");
    browser.seeNot("table", "by-hand");
  }

  @Test
  void aMessage_becomesADeadLetter_andComesBack() {
    String queue = queue("given-up", 1);
    browser.go("queues/" + queue + "/messages");
    browser.clickIn("table", "m-0");
    browser.click("To the dead letters");
    browser.fill("dialog [name=error]", "nobody wants it");
    browser.confirm("To the dead letters");
    browser.see(".head .badge", "dead letter");
    browser.see(".facts", "nobody wants it");

    browser.click("Redrive");
    browser.confirm("Redrive");
    browser.told("given back");
    assertThat(broker.get("/api/v1/dlq?queue=" + queue).getInteger("total")).isZero();
  }

  @Test
  void aQueue_isPaused_andGoesOn() {
    String queue = queue("paused", 2);
    browser.go("queues/" + queue);
    browser.click("Pause");
    browser.see("dialog .hits", "2 messages");
    browser.confirm("Pause");
    browser.see(".head .badge", "paused");
    assertThat(broker.pop(queue, "g", 1, 1)).isEmpty();

    browser.click("Resume");
    browser.told("goes on");
    await().until(() -> !broker.pop(queue, "g", 1, 1).isEmpty());
  }

  @Test
  void options_areShownWithWhatTheyDo_andChanged() {
    String queue = queue("options", 1);
    browser.go("queues/" + queue + "/options");
    browser.see(".options", "How long a consumer has for what it popped");
    browser.screenshot("dashboard-options");
    browser.type("#option-leaseTime", "42");
    browser.fill("#option-dlqAfterMaxRetries", "false");
    browser.click("Save 2 changes");
    browser.see("dialog .hits", "300 → 42");
    browser.confirm("Save");
    browser.told("Options saved");

    JsonObject options = broker.get("/api/v1/resources/queues/" + queue).getJsonObject("options");
    assertThat(options.getInteger("leaseTime")).isEqualTo(42);
    assertThat(options.getBoolean("dlqAfterMaxRetries")).isFalse();
    assertThat(options.getInteger("retryLimit")).isEqualTo(3);
  }

  @Test
  void optionsThatTouchStoredMessages_areSavedAfterAWarning() {
    String queue = queue("retained", 3);
    browser.go("queues/" + queue + "/options");
    browser.see(".options", "Keep messages");
    browser.type("#option-leaseTime", "42");
    browser.click("Save 1 change");
    browser.see("dialog", "They count from the next push, pop or ack on");
    browser.see("dialog button.primary", "Save");
    browser.clickIn("dialog[open]", "Cancel");
    browser.closed();

    browser.type("#option-retentionSeconds", "60");
    browser.click("Save 2 changes");
    browser.see("dialog", "also for the messages that are stored now");
    browser.see("dialog .hits", "0 → 60");
    browser.see("dialog .hits", "Backlog\n3 messages");
    browser.see("dialog .hits", "Messages stored\n3");
    browser.see("dialog button.danger", "Save");
    browser.confirm("Save");
    browser.told("Options saved");
  }

  @Test
  void aLane_isDeleted() {
    String queue = queue("lane", 3);
    browser.go("queues/" + queue);
    browser.see("table", "lane-2");
    browser.clickRow("lane-1", "Delete");
    browser.see("dialog .hits", "Messages not done\n1");
    browser.confirm("Delete the lane");
    browser.told("lane-1 is deleted");
    browser.until("section:last-of-type table", "has no lane-1", text -> !text.contains("lane-1"));
  }

  @Test
  void aQueue_isCleared_andDeleted_onlyWithItsName() {
    String queue = queue("gone", 5);
    browser.go("queues/" + queue);
    browser.see("[data-tile='Backlog']", "5");
    browser.click("Clear");
    browser.see("dialog .hits", "5 messages");
    browser.confirm("Clear");
    browser.see("dialog .problem", "Type " + queue);
    browser.fill("dialog [name=expected]", queue);
    browser.confirm("Clear");
    browser.told("5 messages removed");
    browser.until("[data-tile='Backlog'] .tile-value", "is 0", text -> text.equals("0"));

    browser.click("Delete");
    browser.find("dialog[open]");
    browser.escape();
    browser.closed();
    assertThat(broker.status("/api/v1/resources/queues/" + queue)).isEqualTo(401);
    assertThat(broker.get("/api/v1/resources/queues/" + queue).getString("name")).isEqualTo(queue);

    // Longer than the page waits between two requests: it must not ask for what is gone.
    browser.delayAnswers("DELETE", 2_500);
    browser.click("Delete");
    browser.fill("dialog [name=expected]", queue);
    browser.confirm("Delete the queue");
    browser.told(queue + " is deleted");
    browser.see("h1", "Queues");
    assertThat(broker.get("/api/v1/resources/queues/" + queue).getString("error"))
        .isEqualTo("Queue not found");
  }
}
