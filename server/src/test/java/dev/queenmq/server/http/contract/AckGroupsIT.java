package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose ack it is: the lease decides, and no ack and no seek makes a group. */
class AckGroupsIT extends ContractFixture {
  private static final String UNKNOWN = "Unknown consumerGroup: this group has not read the queue";
  private static final String OTHER = "The lease belongs to another consumerGroup";

  @Test
  void ackWithoutGroup_isOfTheGroupThatHoldsTheLease() {
    JsonObject message = popped("g");

    JsonObject result = ack(withoutGroup(message)).array().getJsonObject(0);

    assertThat(result.getBoolean("success")).as(result.encode()).isTrue();
    assertThat(result.getBoolean("leaseReleased")).isTrue();
    assertThat(server.pop(q, "consumerGroup=g").status()).isEqualTo(204);
    assertThat(groups()).isEqualTo("g");
  }

  @Test
  void batchWithoutGroup_isOfTheGroupsThatHoldTheLeases() {
    JsonObject one = popped("g");
    JsonObject other = server.pop(q, "consumerGroup=h").messages().get(0);

    JsonArray results = batch(null, withoutGroup(one), withoutGroup(other)).array();

    assertThat(results).allMatch(each -> ((JsonObject) each).getBoolean("success"));
    assertThat(groups()).isEqualTo("g,h");
  }

  @Test
  void groupThatContradictsTheLease_isAnErrorThatSaysSo() {
    JsonObject message = popped("g");
    server.pop(q, "consumerGroup=h");

    Answer single = ack(withoutGroup(message).put("consumerGroup", "h"));
    assertThat(single.status()).isEqualTo(409);
    assertThat(single.object().getString("error")).isEqualTo(OTHER);
    JsonObject item = batch("h", withoutGroup(message)).array().getJsonObject(0);
    assertThat(item.getBoolean("success")).isFalse();
    assertThat(item.getString("error")).isEqualTo(OTHER);
    JsonObject rolledBack =
        transaction(withoutGroup(message).put("type", "ack").put("consumerGroup", "h"));
    assertThat(rolledBack.getBoolean("success")).isFalse();
    assertThat(rolledBack.getString("error")).isEqualTo("ACK operation failed: " + OTHER);
  }

  @Test
  void ackWithoutLease_ofAGroupThatNeverRead_isRefused_andMakesNoGroup() {
    JsonObject message = popped("g");
    message.remove("leaseId");

    for (String group : new String[] {"misspelt", null}) {
      JsonObject ack = withoutGroup(message).put("consumerGroup", group);
      Answer single = ack(ack);
      assertThat(single.status()).isEqualTo(404);
      assertThat(single.object().getString("error")).isEqualTo(UNKNOWN);
      JsonObject item = batch(group, ack).array().getJsonObject(0);
      assertThat(item.getBoolean("success")).isFalse();
      assertThat(item.getString("error")).isEqualTo(UNKNOWN);
      assertThat(transaction(ack.copy().put("type", "ack")).getString("error"))
          .isEqualTo("ACK operation failed: " + UNKNOWN);
    }
    assertThat(groups()).isEqualTo("g");
  }

  @Test
  void ackWithoutLeaseAndGroup_afterAPopWithoutGroup_counts() {
    server.push(item(q, "p", "t"));
    JsonObject message = server.pop(q, "").messages().get(0);
    message.remove("leaseId");

    assertThat(ack(withoutGroup(message)).array().getJsonObject(0).getBoolean("success")).isTrue();
  }

  @Test
  void transactionWithoutGroup_isOfTheGroupThatHoldsTheLease() {
    JsonObject message = popped("g");
    String other = q + "-out";

    JsonObject done =
        server
            .post(
                "/api/v1/transaction",
                new JsonObject()
                    .put(
                        "operations",
                        new JsonArray()
                            .add(withoutGroup(message).put("type", "ack").putNull("leaseId"))
                            .add(
                                new JsonObject()
                                    .put("type", "push")
                                    .put("items", new JsonArray().add(item(other, "p", "t")))))
                    .put("requiredLeases", new JsonArray().add(message.getString("leaseId"))))
            .object();

    assertThat(done.getBoolean("success")).as(done.encode()).isTrue();
    assertThat(server.pop(q, "consumerGroup=g").status()).isEqualTo(204);
    assertThat(groups()).isEqualTo("g");
  }

  @Test
  void seekOfAnUnknownGroup_isNotFound_andMakesNoGroup() {
    popped("g");
    for (String path : new String[] {"", "/partitions/p"}) {
      Answer answer =
          server.post(
              "/api/v1/consumer-groups/misspelt/queues/" + q + path + "/seek",
              new JsonObject().put("toEnd", true));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.object().getString("error")).isEqualTo("Consumer group not found");
    }
    assertThat(groups()).isEqualTo("g");
  }

  private JsonObject popped(String group) {
    server.push(item(q, "p", "t"));
    return server.pop(q, "consumerGroup=" + group).messages().get(0);
  }

  private static JsonObject withoutGroup(JsonObject message) {
    JsonObject item = ackItem(message, "completed");
    item.remove("consumerGroup");
    return item;
  }

  private Answer ack(JsonObject item) {
    return server.post("/api/v1/ack", item);
  }

  private Answer batch(@Nullable String group, JsonObject... items) {
    JsonArray list = new JsonArray();
    for (JsonObject item : items) {
      list.add(item);
    }
    return server.post(
        "/api/v1/ack/batch",
        new JsonObject().put("acknowledgments", list).put("consumerGroup", group));
  }

  private JsonObject transaction(JsonObject operation) {
    return server
        .post(
            "/api/v1/transaction",
            new JsonObject().put("operations", new JsonArray().add(operation)))
        .object();
  }

  private Object groups() {
    return database.value(
        "select string_agg(distinct c.consumer_group, ',') from queen.cursors c"
            + " join queen.partitions p on p.id = c.partition_id"
            + " join queen.queues q on q.id = p.queue_id where q.name = '"
            + q
            + "'");
  }
}
