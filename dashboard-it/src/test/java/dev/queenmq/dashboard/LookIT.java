package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Light and dark, narrow screens, the keyboard, and how long requests take. */
class LookIT extends DashboardTest {
  private static final List<String> PAGES =
      List.of(
          "overview",
          "queues",
          "queues/devices",
          "queues/orders/messages",
          "queues/orders/options",
          "groups",
          "groups/mailer/orders",
          "groups/recorder/devices",
          "dead-letters",
          "dead-letters/payments",
          "traces",
          "streams",
          "system");

  @BeforeEach
  void enter() {
    browser.enter(ADMIN);
  }

  @Test
  void theTheme_followsTheSwitch() {
    browser.go("overview");
    String light = background("Theme: light");
    String dark = background("Theme: dark");
    assertThat(light).isNotEqualTo(dark);
    browser.see("[data-tile='Backlog']", "lanes");
    browser.screenshot("dashboard-dark");
    browser.click("Theme: dark");
    browser.see("[data-theme-switch]", "auto");
  }

  private String background(String wanted) {
    browser.find("[data-theme-switch]").click();
    browser.see("[data-theme-switch]", wanted);
    return String.valueOf(browser.script("return getComputedStyle(document.body).backgroundColor"));
  }

  @Test
  void narrowScreens_scrollInOneDirection() {
    browser.size(500, 850);
    for (String page : PAGES) {
      browser.go(page);
      browser.find("main h1");
      browser.until("main", "is loaded", text -> !text.contains("Loading…"));
      Object over =
          browser.script(
              "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
      assertThat(((Number) over).intValue()).as(page).isLessThanOrEqualTo(0);
      if (page.equals("overview")) {
        browser.screenshot("dashboard-narrow");
      }
    }
  }

  @Test
  void theKeyboard_isEnough() {
    browser.go("overview");
    browser.see("h1", "Overview");
    browser.key("gq");
    browser.see("h1", "Queues");
    browser.key("/");
    assertThat(browser.focused()).contains("type=\"search\"");
    browser.press("orders");
    browser.see("table", "orders");
    browser.seeNot("table", "devices");
    browser.escape();
    browser.go("overview");
    browser.see("h1", "Overview");
    browser.key("?");
    browser.see("aside.help", "Dead letters");
    browser.key("?");
  }

  /**
   * A figure to read, because the machine may be busy; a limit if one is given, as in {@code
   * -Dqueen.measure.millis=500}.
   */
  @Test
  void requests_ofEveryPage_withVeryManyLanes() {
    StringBuilder said = new StringBuilder();
    int slowest = 0;
    for (String page : PAGES) {
      browser.go(page);
      browser.until("main", "is loaded", text -> !text.contains("Loading…"));
      browser.script("performance.clearResourceTimings()");
      browser.go("nowhere");
      browser.go(page);
      browser.until("main", "is loaded", text -> !text.contains("Loading…"));
      // The page may be loaded a moment before the browser has written that down.
      browser.until("main", "has been asked for", any -> !requests().isEmpty());
      List<Map<String, Object>> requests = requests();
      said.append("%n%-26s %s".formatted(page, requests));
      slowest =
          Math.max(
              slowest,
              requests.stream()
                  .mapToInt(each -> ((Number) each.get("ms")).intValue())
                  .max()
                  .orElseThrow());
    }
    System.out.println(
        "Requests of each page, milliseconds, with " + Data.LANES + " lanes:" + said);
    assertThat(slowest).isLessThanOrEqualTo(Integer.getInteger("queen.measure.millis", 60_000));
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> requests() {
    return (List<Map<String, Object>>)
        browser.script(
            "return performance.getEntriesByType('resource').filter((e) =>"
                + " e.name.includes('/api/')).map((e) => ({name: new URL(e.name).pathname,"
                + " ms: Math.round(e.duration)}))");
  }
}
