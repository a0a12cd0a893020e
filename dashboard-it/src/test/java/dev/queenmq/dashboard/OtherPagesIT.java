package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces, streams, the system. */
class OtherPagesIT extends DashboardTest {

  @BeforeEach
  void enter() {
    browser.enter(ADMIN);
  }

  @Test
  void traces_areReadByName_andAtTheirMessage() {
    browser.go("traces");
    browser.see("table", "order-4711");
    browser.clickIn("table", "order-4711");
    browser.see("table", "\"step\": \"packed\"");
    browser.see("table", "shipping");
    browser.screenshot("dashboard-traces");
    browser.clickIn("tbody tr:first-child", "ship-1");
    browser.see("h1", "ship-1");
    browser.see("section:last-of-type table", "handed over");
  }

  @Test
  void streams_showTheirState() {
    browser.go("streams");
    browser.see("table", "order-totals");
    browser.clickIn("table", "order-totals");
    browser.see("table", "customer-");
    browser.click("Show state");
    browser.see("section:last-of-type table", "\"cents\": 38970");
    browser.screenshot("dashboard-stream");
  }

  @Test
  void theSystem_showsBrokersOperationsAndPostgres() {
    browser.go("system");
    browser.see("[data-tile='This broker']", "queen-1");
    browser.see("table", "push");
    browser.see("main", "Hints between brokers");
    browser.see("main", "Cache hits");
    browser.see("main", "segments");
    browser.until("[data-tile='Up'] .tile-value", "is 1", "1"::equals);
    browser.screenshot("dashboard-system");
  }

  @Test
  void upkeep_runsNow_andSumsAreMadeNow() {
    browser.go("system");
    browser.see("table", "retention");
    browser.clickRow("traces", "Run now");
    browser.told("traces:");
    browser.closed();
    browser.click("Sum up now");
    browser.told("ummed up");
  }

  @Test
  void maintenance_isSwitchedOnAndOff() {
    browser.go("system");
    browser.click("Let them find nothing");
    browser.see("dialog .hits", "all");
    browser.confirm("Switch on");
    try {
      browser.see(".switches", "find nothing");
      browser.go("overview");
      browser.see(".banner", "pops find nothing");
      assertThat(broker.pop("orders", "nobody", 1, 1)).isEmpty();
      browser.go("system");
    } finally {
      browser.click("Let them go on");
    }
    browser.told("Maintenance of pops is off");
    browser.see(".switches", "as usual");
  }
}
