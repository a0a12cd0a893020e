package dev.queenmq.server.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Every error text of the routes of the contract. */
class ContractErrorsIT extends ContractFixture {
  /** What is asked, and how it is refused. */
  private record Refusal(String path, String body, int status, String text) {}

  private static List<Refusal> refusals() {
    String push = "/api/v1/push";
    String ack = "/api/v1/ack";
    String batch = "/api/v1/ack/batch";
    String transaction = "/api/v1/transaction";
    String configure = "/api/v1/configure";
    String extend = "/api/v1/lease/6a0e8ba2-0000-4000-8000-000000000000/extend";
    String group = "/api/v1/consumer-groups/g";
    String partition = "\"partitionId\":\"6a0e8ba2-0000-4000-8000-000000000000\"";
    return List.of(
        new Refusal(push, "", 400, "Empty request body"),
        new Refusal(push, "{}", 400, "items array is required"),
        new Refusal(push, "[]", 400, "items array is required"),
        new Refusal(push, "{\"items\":{}}", 400, "items array is required"),
        new Refusal(push, "{\"items\":null}", 400, "items array is required"),
        new Refusal(push, "{\"items\":[null]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":null}]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":7}]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":\"\"}]}", 400, "queue must not be empty"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"#deleted-1\"}]}",
            400,
            "queue must not begin with #deleted-"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"partition\":7}]}",
            400,
            "Partition must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"partition\":\"\"}]}",
            400,
            "partition must not be empty"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"transactionId\":\"\"}]}",
            400,
            "transactionId must not be empty"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\"},{\"queue\":\"q\",\"traceId\":\"no\"}]}",
            400,
            "TraceId must be a UUID"),
        new Refusal(push, "{\"items\":[1]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{}]}", 400, "Queue must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"transactionId\":7}]}",
            400,
            "TransactionId must be a string"),
        new Refusal(
            push, "{\"items\":[{\"queue\":\"q\",\"traceId\":7}]}", 400, "TraceId must be a string"),
        new Refusal(ack, "", 400, "Empty request body"),
        new Refusal(ack, "{}", 400, "transactionId is required"),
        new Refusal(ack, "[]", 400, "transactionId is required"),
        new Refusal(
            ack, "{\"transactionId\":7," + partition + "}", 400, "transactionId is required"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\",\"partitionId\":null}",
            400,
            "partitionId is required to ensure message uniqueness"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\",\"status\":\"done\"," + partition + "}",
            400,
            "status must be completed, success, failed, retry or dlq"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\"}",
            400,
            "partitionId is required to ensure message uniqueness"),
        new Refusal(batch, "", 400, "Empty request body"),
        new Refusal(batch, "{}", 400, "acknowledgments array is required"),
        new Refusal(batch, "{\"acknowledgments\":{}}", 400, "acknowledgments array is required"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[1]}",
            400,
            "Each acknowledgment must have a valid transactionId string"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[{}]}",
            400,
            "Each acknowledgment must have a valid transactionId string"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[{\"transactionId\":\"t\"}]}",
            400,
            "Each acknowledgment must have a valid partitionId string to ensure message"
                + " uniqueness"),
        new Refusal(transaction, "", 400, "Empty request body"),
        new Refusal(transaction, "{}", 400, "operations array required"),
        new Refusal(transaction, "{\"operations\":{}}", 400, "operations array required"),
        new Refusal(
            transaction, "{\"operations\":[{\"type\":\"push\"}]}", 400, "Queue must be a string"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\"," + partition + "}]}",
            400,
            "transactionId is required"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\"," + partition + "}]}",
            200,
            "ACK operation failed: Message not found"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"leaseId\":\"no\","
                + partition
                + "}]}",
            200,
            "ACK operation failed: Invalid or expired lease"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"status\":\"retry\","
                + partition
                + "}]}",
            200,
            "ACK operation failed: Unknown error"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"status\":\"done\","
                + partition
                + "}]}",
            400,
            "status must be completed, success, failed, retry or dlq"),
        new Refusal(transaction, "{\"operations\":[]}", 400, "operations array cannot be empty"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"dance\"}]}",
            200,
            "Unknown operation type: dance"),
        new Refusal(configure, "", 400, "Empty request body"),
        new Refusal(configure, "{}", 400, "queue is required"),
        new Refusal(configure, "{\"queue\":7}", 400, "queue is required"),
        new Refusal(
            configure, "{\"queue\":\"#deleted-1\"}", 400, "queue must not begin with #deleted-"),
        new Refusal(configure, "{\"queue\":\"q\",\"options\":7}", 400, "options must be an object"),
        new Refusal(
            configure,
            "{\"queue\":\"q\",\"options\":{\"ttl\":\"soon\"}}",
            400,
            "ttl must be a whole number between 0 and 2147483647"),
        new Refusal(extend, "{}", 404, "Lease not found"),
        new Refusal(extend, "[]", 404, "Lease not found"),
        new Refusal(extend, "", 404, "Lease not found"),
        new Refusal(extend, "{\"seconds\":\"10\"}", 404, "Lease not found"),
        new Refusal("/api/v1/lease/no/extend", "{}", 404, "Lease not found"),
        new Refusal(group + "/subscription", "", 400, "Empty request body"),
        new Refusal(
            group + "/subscription", "{}", 400, "Missing subscriptionTimestamp in request body"),
        new Refusal(group + "/subscription", "[]", 400, "The body must be an object"),
        new Refusal(
            group + "/subscription",
            "{\"subscriptionTimestamp\":7}",
            400,
            "subscriptionTimestamp must be a string"),
        new Refusal(
            group + "/subscription",
            "{\"subscriptionTimestamp\":\"soon\"}",
            400,
            "subscriptionTimestamp must be an ISO 8601 timestamp"),
        new Refusal(group + "/queues/q/seek", "", 400, "Empty request body"),
        new Refusal(
            group + "/queues/q/seek",
            "{}",
            400,
            "Must specify either 'toEnd': true or 'timestamp'"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"toEnd\":false,\"timestamp\":null}",
            400,
            "Must specify either 'toEnd': true or 'timestamp'"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"toEnd\":true,\"timestamp\":\"2026-01-01\"}",
            400,
            "Must specify either 'toEnd': true or 'timestamp', not both"),
        new Refusal(
            group + "/queues/q/seek", "{\"toEnd\":\"yes\"}", 400, "toEnd must be true or false"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"timestamp\":\"'; select 1\"}",
            400,
            "timestamp must be an ISO 8601 timestamp"),
        new Refusal(
            group + "/queues/q/seek", "{\"timestamp\":1}", 400, "timestamp must be a string"),
        new Refusal(group + "/queues/q/seek", "{\"toEnd\":true}", 404, "Queue not found"),
        new Refusal(
            group + "/queues/%23deleted-1/seek",
            "{\"toEnd\":true}",
            400,
            "queue must not begin with #deleted-"),
        new Refusal(group + "/queues/q/partitions/p/seek", "", 404, "Partition not found"),
        new Refusal(
            "/api/v1/consumer-groups/" + "x".repeat(256) + "/queues/q/seek",
            "{\"toEnd\":true}",
            400,
            "consumerGroup is longer than 255 characters"),
        new Refusal(
            extend,
            "{\"seconds\":\"soon\"}",
            400,
            "seconds must be a whole number between 0 and 2592000"));
  }

  /** All rows on one server: a start takes longer than all of them. */
  @Test
  void errors_haveTheTextsOfTheContract() {
    SoftAssertions.assertSoftly(
        softly -> {
          for (Refusal row : refusals()) {
            Answer answer = server.post(row.path(), row.body());
            softly.assertThat(answer.status()).as(row.toString()).isEqualTo(row.status());
            softly.assertThat(answer.error()).as(row.toString()).isEqualTo(row.text());
          }
        });
  }

  @Test
  void errors_ofBadJson_unknownPathAndMethod_areJson() {
    assertThat(server.post("/api/v1/push", "{\"items\":[").error()).startsWith("Invalid JSON: ");
    assertThat(server.get("/nowhere").status()).isEqualTo(404);
    assertThat(server.get("/nowhere").error()).isNotEmpty();
    assertThat(server.get("/api/v1/push").status()).isEqualTo(405);
    assertThat(server.get("/api/v1/pop").status()).isEqualTo(400);
    assertThat(server.get("/api/v1/resources/queues/none").status()).isEqualTo(404);
    assertThat(server.get("/api/v1/resources/queues/none").error()).isEqualTo("Queue not found");
  }
}
