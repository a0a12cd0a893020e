package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups, and moving them. */
class GroupsIT extends DashboardTest {
  private String queue;

  @BeforeEach
  void enter() {
    queue = fresh("read");
    broker.push(
        IntStream.range(0, 6)
            .mapToObj(i -> item(queue, "lane-" + i % 2, "m-" + i, new JsonObject().put("n", i)))
            .toList());
    broker.ack(broker.pop(queue, "worker", 1, 1), "completed", "");
    browser.enter(ADMIN);
  }

  @Test
  void groups_areFoundAndSorted() {
    browser.go("groups");
    browser.see("table", "mailer");
    browser.type("main input[type=search]", queue);
    browser.see("table", "worker");
    browser.seeNot("table", "mailer");
    browser.until("td[data-label=Lag]", "is 5", "5"::equals);
    browser.fill("main input[type=search]", "");
    browser.clickIn("thead", "Lag");
    browser.until("tbody tr:first-child", "is the largest", text -> text.contains("recorder"));
    browser.screenshot("dashboard-groups");
  }

  @Test
  void whoHoldsALease_isSeen_andCanBeReleased() {
    broker.pop(queue, "worker", 2, 1);
    browser.go("groups/worker/" + queue);
    browser.see("table", "127.0.0.1");
    browser.see("table", "fixture");
    browser.see("table", "0 of 2 done");
    browser.screenshot("dashboard-group");
    browser.click("Release");
    browser.see("dialog .hits", "127.0.0.1");
    browser.confirm("Release");
    browser.told("Lease released on 1 lane");
    browser.see("table", "No consumer holds a lease now");
    await().until(() -> !broker.pop(queue, "worker", 1, 2).isEmpty());
  }

  @Test
  void aGroup_movesToTheEnd_theBeginning_andATime() {
    browser.go("groups/worker/" + queue);
    lag("5");
    seek("end", "");
    lag("0");
    seek("beginning", "");
    lag("6");
    browser.click("Seek");
    browser.fill("dialog [name=to]", "time");
    browser.confirm("Seek");
    browser.see("dialog .problem", "Choose a time");
    browser.fill("dialog [name=time]", "2099-01-01T00:00:00");
    browser.confirm("Seek");
    lag("0");
  }

  private void seek(String to, String time) {
    browser.click("Seek");
    browser.see("dialog .hits", "Lag now");
    browser.fill("dialog [name=to]", to);
    browser.confirm("Seek");
    browser.told("Moved in 2 lanes");
  }

  private void lag(String expected) {
    browser.until("[data-tile='Lag'] .tile-value", "is " + expected, expected::equals);
  }

  @Test
  void oneLane_isSkipped() {
    browser.go("groups/worker/" + queue);
    browser.see("table", "lane-1");
    browser.clickRow("lane-1", "Skip to the end");
    browser.confirm("Skip");
    browser.told("lane-1 skipped");
    browser.until("section:last-of-type table", "has no lane-1", text -> !text.contains("lane-1"));
  }

  @Test
  void aGroup_isPaused_andDeleted() {
    browser.go("groups/worker/" + queue);
    browser.click("Pause");
    browser.confirm("Pause");
    browser.see(".head .badge", "paused");
    assertThat(broker.pop(queue, "worker", 1, 1)).isEmpty();
    browser.click("Resume");
    browser.told("goes on");

    browser.click("Delete");
    browser.see("dialog .hits", "5 messages");
    browser.confirm("Delete the group");
    browser.told("The group is deleted");
    browser.see("h1", "Groups");
    assertThat(broker.get("/api/v1/dashboard/groups?queue=" + queue).getInteger("matched"))
        .isZero();
  }
}
