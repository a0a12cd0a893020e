package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The first page. */
class OverviewIT extends DashboardTest {
  private static final int ROUNDS = 4;

  @Test
  void everythingIsOnOnePage() {
    browser.enter(ADMIN);
    browser.go("overview");

    browser.until(
        "[data-tile='In'] .tile-value", "has a rate", text -> text.matches("(?s)[1-9].*"));
    browser.until(
        "[data-tile='Out'] .tile-value", "has a rate", text -> text.matches("(?s)[0-9].*"));
    assertThat(browser.tile("Brokers")).isEqualTo("1");
    assertThat(browser.tile("PostgreSQL")).isEqualTo("up");
    assertThat(browser.tile("Dead letters")).matches("[1-9][0-9,]*");
    assertThat(browser.tile("Oldest waiting")).matches(".*(s|min).*");
    assertThat(browser.tile("In progress")).matches("[1-9][0-9,]*");
    assertThat(browser.tile("Spool")).isEqualTo("0");
    browser.see("table", "devices");
    browser.see("table", "mailer");
    assertThat(browser.count("queen-chart canvas")).isEqualTo(3);
    browser.screenshot("dashboard-overview");

    browser.click("6 hours");
    browser.until("[aria-pressed=true]", "is chosen", text -> text.equals("6 hours"));
  }

  @Test
  void theChart_hasWhatWasWrittenDown() {
    browser.enter(ADMIN);
    browser.go("overview");

    browser.find("queen-chart canvas");
    browser.until("queen-chart", "is drawn", any -> drawn() > 0);
  }

  /**
   * What an open page costs the broker and its PostgreSQL, without other traffic. Takes as long as
   * you give it: {@code -Dqueen.measure.seconds=60}, with {@code -Dqueen.lanes=100000} for very
   * many lanes.
   */
  @Test
  @EnabledIfSystemProperty(named = "queen.measure.seconds", matches = "\\d+")
  void anOpenOverview_costsLittle() throws InterruptedException {
    int seconds = Integer.getInteger("queen.measure.seconds", 60);
    data.rest(true);
    try {
      browser.enter(ADMIN);
      double closed = 1;
      double open = 1;
      // Upkeep of that many lanes takes more than a page now and then: the quietest time counts.
      for (int round = 0; round < ROUNDS; round++) {
        browser.goElsewhere("about:blank");
        closed = Math.min(closed, share(seconds / ROUNDS));
        browser.go("overview");
        browser.find("queen-chart canvas");
        open = Math.min(open, share(seconds / ROUNDS));
      }
      System.out.printf(
          "With %,d lanes the broker takes %.2f %% of a core, and %.2f %% while the overview is"
              + " open%n",
          Data.LANES, 100 * closed, 100 * open);
      assertThat(open - closed).isLessThan(0.02);
    } finally {
      data.rest(false);
    }
  }

  /** The share of a core that the broker takes in the next seconds. */
  private double share(int seconds) throws InterruptedException {
    TimeUnit.SECONDS.sleep(2);
    long from = System.nanoTime();
    Duration before = broker.processorTime();
    TimeUnit.SECONDS.sleep(seconds);
    return (double) broker.processorTime().minus(before).toNanos() / (System.nanoTime() - from);
  }

  private double drawn() {
    Object most =
        browser.script(
            "return Math.max(0, ...document.querySelector('queen-chart').values.flat())");
    return ((Number) most).doubleValue();
  }

  @Test
  void thePage_isLive_withOneRequestASecondAtMost() {
    String queue = fresh("live");
    broker.push(List.of(item(queue, "a", "1", new JsonObject())));
    browser.enter(ADMIN);
    browser.go("queues");
    browser.type("main input[type=search]", queue);
    browser.until("table td[data-label=Backlog]", "is 1", "1"::equals);

    broker.push(List.of(item(queue, "a", "2", new JsonObject())));
    browser.until("table td[data-label='Ever pushed']", "is 2", text -> text.equals("2"));

    for (String page : List.of("overview", "queues/orders", "system")) {
      browser.go(page);
      browser.see("main", "");
      Object requests =
          browser.waitForScript(
              "const done = arguments[0];"
                  + "setTimeout(() => { performance.clearResourceTimings();"
                  + "setTimeout(() => done(performance.getEntriesByType('resource')"
                  + ".filter((e) => e.name.includes('/api/')).length), 3000); }, 1500);");
      // One may have been under way when the counting began.
      assertThat(((Number) requests).intValue()).as(page).isLessThanOrEqualTo(4);
    }
  }
}
