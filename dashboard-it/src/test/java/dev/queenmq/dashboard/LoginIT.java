package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may look, and what they may do. */
class LoginIT extends DashboardTest {
  /** Of forty customers, and the one that a configured queue has from the start. */
  private static final String LANES_OF_ORDERS = "41";

  /** Browsers note every answer of this kind, whatever a page makes of it. */
  @Override
  String[] expectedComplaints() {
    return new String[] {"status of 401", "status of 403"};
  }

  @Test
  void aTokenThatIsNotGood_isRefused_andSaysWhy() {
    browser.login("a.b.c");

    browser.see("main.login .problem", "Token decode error");
    browser.screenshot("dashboard-login");
    assertThat(browser.count("header.top")).isZero();
    assertThat(browser.script("return sessionStorage.getItem('queen.token')")).isNull();
  }

  @Test
  void aTokenThatMayNotLook_isToldSo() {
    browser.login(Tokens.of("pusher", "produce-only"));

    browser.see("main.login .problem", "403");
  }

  @Test
  void aTokenOpensThePages_untilTheTabForgetsIt() {
    browser.login("Bearer " + ADMIN);

    browser.see("[data-role]", "alice · admin");
    browser.see("h1", "Overview");
    assertThat(browser.script("return localStorage.getItem('queen.token')")).isNull();

    browser.click("Log out");
    browser.see("main.login", "Log in");
    assertThat(browser.script("return sessionStorage.getItem('queen.token')")).isNull();
  }

  @Test
  void readOnly_seesEverything_andCanChangeNothing() {
    browser.enter(Tokens.of("rita", "read-only"));
    browser.see("[data-role]", "rita · read-only");
    browser.go("queues/orders");
    browser.see("[data-tile='Lanes']", LANES_OF_ORDERS);

    for (String button : List.of("Push a message", "Pause", "Clear", "Delete")) {
      browser.see(".tools", button);
      assertThat(browser.canClick(button)).as(button).isFalse();
    }
    browser.go("queues/orders/options");
    browser.find("#option-leaseTime");
    assertThat(browser.find("#option-leaseTime").isEnabled()).isFalse();
    browser.go("groups/mailer/orders");
    browser.see("table", "127.0.0.1");
    for (String button : List.of("Release", "Seek", "Pause", "Delete")) {
      assertThat(browser.canClick(button)).as(button).isFalse();
    }
    browser.go("dead-letters/payments");
    browser.see("table", "card was declined");
    assertThat(browser.canClick("Redrive all")).isFalse();
    assertThat(browser.canClick("Purge all")).isFalse();
    browser.go("system");
    browser.see("h2", "Upkeep");
    browser.see("table", "retention");
    assertThat(browser.canClick("Run now")).isFalse();
    assertThat(browser.canClick("Send them to the spool")).isFalse();
  }

  @Test
  void readWrite_changesQueues_butDeletesNone() {
    browser.enter(Tokens.of("walter", "read-write"));
    browser.see("[data-role]", "walter · read-write");
    browser.go("queues/orders");
    browser.see("[data-tile='Lanes']", LANES_OF_ORDERS);

    assertThat(browser.canClick("Push a message")).isTrue();
    assertThat(browser.canClick("Pause")).isTrue();
    assertThat(browser.canClick("Delete")).isFalse();
    assertThat(browser.canClick("Clear")).isFalse();
    assertThat(browser.find("button[title*='admin']").getText()).isNotBlank();
  }

  @Test
  void aTokenForSomeQueues_seesTheseAndNothingElse() {
    browser.enter(Tokens.of("lim", "read-write", List.of("orders", "mail.*")));

    browser.see("table", "orders");
    browser.see("table", "names that begin with mail.");
    assertThat(browser.text("header.top nav")).doesNotContain("Overview").contains("Queues");
    browser.clickIn("table", "orders");
    browser.see("table", "mailer");
    browser.see("table", "customer-00");
    browser.clickIn("table", "mailer");
    browser.see("table", "127.0.0.1");
    browser.go("queues/payments");
    browser.see(".trouble", "403");
  }
}
