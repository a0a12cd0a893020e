package dev.queenmq.dashboard;

import static dev.queenmq.dashboard.Broker.encoded;
import static dev.queenmq.dashboard.Broker.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names and payloads of a caller who may only push, on the pages of an operator. */
class HostileNamesIT extends DashboardTest {
  private static final String MARKUP = "<img src=x onerror=window.hit=1>";

  @BeforeEach
  void enter() {
    browser.enter(ADMIN);
  }

  @Test
  void markupAndSpecialCharacters_areNamesLikeOthers() {
    String queue = fresh("a/b?c#d%41 '\"&" + MARKUP);
    String id = "../%2e%2e/" + MARKUP;
    broker.push(List.of(item(queue, "lane/" + MARKUP, id, new JsonObject().put("html", MARKUP))));
    broker.ack(broker.take(queue, "group/" + MARKUP, 1, 1), "dlq", MARKUP);

    browser.go("queues/" + encoded(queue));
    browser.see("h1", queue);
    browser.see("table", "lane/" + MARKUP);
    browser.see("table", "group/" + MARKUP);
    browser.clickIn("nav.tabs", "Messages");
    browser.clickIn("table", id);
    browser.see("pre.payload", MARKUP);
    browser.go("dead-letters/" + encoded(queue));
    browser.see("table", MARKUP);
    browser.click("Look inside");
    browser.see("pre.payload", MARKUP);
    browser.go("groups/" + encoded("group/" + MARKUP) + "/" + encoded(queue));
    browser.see("h1", "group/" + MARKUP);

    assertThat(browser.script("return window.hit")).isNull();
  }

  /** A browser folds it away, and the request would be that for all lanes. */
  @Test
  void aLaneCalledDotDot_isNotTakenForTheQueue() {
    String queue = fresh("dots");
    broker.push(
        List.of(
            item(queue, "..", "m-1", new JsonObject()),
            item(queue, "innocent", "m-2", new JsonObject()),
            item(queue, "innocent", "m-3", new JsonObject())));
    broker.ack(broker.take(queue, "worker", 1, 1), "retry", "");
    browser.go("groups/worker/" + queue);
    browser.see("table", "innocent");

    browser.clickRow("..", "Skip to the end");
    browser.confirm("Skip");
    browser.told("cannot ask for something called \"..\"");

    assertThat(broker.pop(queue, "worker", 9, 9)).hasSize(3);
  }

  @Test
  void numbers_keepTheirDigits() {
    String queue = fresh("digits");
    broker.push(List.of(item(queue, "lane", "m-1", new JsonObject())));
    browser.go("queues/" + queue);
    browser.click("Push a message");
    browser.fill("dialog [name=transactionId]", "long");
    browser.fill("dialog [name=payload]", "{\"id\":12345678901234567890,\"price\":1.10}");
    browser.confirm("Push");
    browser.told("Message queued");

    browser.clickIn("nav.tabs", "Messages");
    browser.clickIn("table", "long");
    browser.see("pre.payload", "12345678901234567890");
    browser.see("pre.payload", "1.10");
  }
}
