package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that were given up. */
class DeadLettersIT extends DashboardTest {
  /** Both in one call: the page may be drawn again between two. */
  private static final String LETTERS_MISSING_IN_THE_TABLE =
      "return parseInt(document.querySelector('.total').textContent)"
          + " - [...document.querySelectorAll('td[data-label=Letters]')]"
          + ".reduce((sum, cell) => sum + parseInt(cell.textContent), 0)";

  private String queue;

  @BeforeEach
  void enter() {
    queue = fresh("failing");
    data.deadLetters(queue, 4, "no such account");
    data.deadLetters(queue, 3, "timeout");
    browser.enter(ADMIN);
  }

  @Test
  void lettersAreShownByQueueAndError_andCanBeLookedInto() {
    browser.go("dead-letters");
    browser.see("table", "card was declined");
    browser.see("table", queue);
    assertThat(browser.script(LETTERS_MISSING_IN_THE_TABLE))
        .as("the number above the table less its sum")
        .isEqualTo(0L);
    browser.screenshot("dashboard-dead-letters");
    browser.go("dead-letters/" + queue + "?error=timeout");
    browser.until("tbody", "has three", text -> browser.count("tbody tr") == 3);
    browser.clickIn("tbody tr:first-child", "Look inside");
    browser.see("pre.payload", "\"cents\": 4200");
    browser.screenshot("dashboard-dead-letter");
  }

  @Test
  void one_some_andAll_areGivenBack() {
    browser.go("dead-letters/" + queue);
    browser.until("tbody", "has all", text -> browser.count("tbody tr") == 7);
    browser.find("tbody input[type=checkbox]").click();
    browser.click("Redrive 1 chosen");
    browser.see("dialog .hits", "Letters\n1");
    browser.confirm("Redrive");
    browser.told("1 message given back");
    browser.until("tbody", "has six", text -> browser.count("tbody tr") == 6);

    browser.go("dead-letters/" + queue + "?error=no+such+account");
    browser.until(
        "tbody", "has some", text -> text.contains("no such account") && !text.contains("timeout"));
    browser.click("Redrive all");
    browser.see("dialog .hits", "no such account");
    browser.confirm("Redrive");
    browser.told("given back");
    browser.see("tbody", "There are none");

    browser.go("dead-letters/" + queue);
    browser.see("tbody", "timeout");
    browser.click("Redrive all");
    browser.confirm("Redrive");
    browser.see("tbody", "There are none");
    assertThat(broker.get("/api/v1/dlq?queue=" + queue).getInteger("total")).isZero();
    assertThat(
            broker
                .get("/api/v1/dashboard/groups?queue=" + queue)
                .getJsonArray("groups")
                .getJsonObject(0)
                .getInteger("lag"))
        .isEqualTo(7);
  }

  @Test
  void lettersOfAnError_andAll_arePurged() {
    browser.go("dead-letters/" + queue + "?error=timeout&group=charger");
    browser.until("tbody", "has three", text -> browser.count("tbody tr") == 3);
    browser.click("Purge all");
    browser.see("dialog .hits", "Letters\n3");
    browser.confirm("Purge");
    browser.told("3 dead letters removed");
    browser.click("show all of the queue");
    browser.until("tbody", "has four", text -> browser.count("tbody tr") == 4);
    browser.click("Purge all");
    browser.confirm("Purge");
    browser.told("4 dead letters removed");
    browser.see("tbody", "There are none");
    assertThat(broker.get("/api/v1/dlq?queue=" + queue).getInteger("total")).isZero();
  }
}
