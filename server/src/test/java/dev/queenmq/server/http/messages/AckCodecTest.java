package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static dev.queenmq.server.http.messages.Codecs.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AckCodecTest {
  private static final UUID PARTITION = UUID.fromString("f92df286-560f-43d5-bb82-5a758050f346");
  private static final UUID LEASE = UUID.fromString("01a1dc97-dd52-7000-8841-dc2dbe138860");

  private final AckCodec codec = new AckCodec(Codecs.FACTORY, Codecs.LIST);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                        | transactionId is required
          []                                        | transactionId is required
          {"transactionId":5,"partitionId":"p"}     | transactionId is required
          {"transactionId":"","partitionId":"p"}    | transactionId is required
          {"transactionId":"t"}                     | partitionId is required to ensure message uniqueness
          {"transactionId":"t","partitionId":null}  | partitionId is required to ensure message uniqueness
          {"transactionId":"\\u0000","partitionId":"p"}            | transactionId contains the character NUL
          {"transactionId":"t","partitionId":"p","leaseId":5}      | leaseId must be a string
          {"transactionId":"t","partitionId":"p","error":{}}       | error must be a string
          {"transactionId":"t","partitionId":"p","consumerGroup":1}| consumerGroup must be a string
          {"transactionId":"t","partitionId":"p","status":"done"}  | status must be completed, success, failed, retry or dlq
          {"transactionId":"t","partitionId":"p","status":17}      | status must be completed, success, failed, retry or dlq
          {"transactionId":"t","partitionId":"p","status":false}   | status must be completed, success, failed, retry or dlq
          {"transactionId":"t","partitionId":"p"}                  | partitionId must be a UUID
          {"transactionId":"t","partitonId":"p"}                   | unknown field "partitonId", did you mean "partitionId"?
          """)
  void readOne_saysWhatIsWrong(String json, String text) {
    assertBadRequest(() -> codec.readOne(body(json)), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                               | acknowledgments array is required
          [1]                              | acknowledgments array is required
          {"acknowledgments":{}}           | acknowledgments array is required
          {"acknowledgments":[1]}          | Each acknowledgment must have a valid transactionId string
          {"acknowledgments":[{"transactionId":1,"partitionId":"p"}]} | Each acknowledgment must have a valid transactionId string
          {"acknowledgments":[{"transactionId":"t"}]} | Each acknowledgment must have a valid partitionId string to ensure message uniqueness
          {"acknowledgments":[{},{},{},{},{},{}]}     | acknowledgments has more than the limit of 5 elements
          {"acknowledgments":[],"consumerGroup":5}    | consumerGroup must be a string
          """)
  void readBatch_saysWhatIsWrong(String json, String text) {
    assertBadRequest(() -> codec.readBatch(body(json)), text);
  }

  @Test
  void readOne_readsEverything() {
    assertThat(
            codec.readOne(
                body(
                    """
                    {"transactionId":"t","partitionId":"%s","leaseId":"%s","status":"failed",\
                    "consumerGroup":"g","error":"a\\u0000b"}\
                    """
                        .formatted(PARTITION, LEASE))))
        .containsExactly(
            new AckEntry.Sent(
                "t",
                new Ack(
                    PARTITION,
                    "g",
                    new MessageRef.ByTransactionId("t"),
                    Optional.of(LEASE),
                    AckStatus.FAILED,
                    Optional.of("a\ufffdb"))));
  }

  @Test
  void longErrors_areCut() {
    String json =
        """
        {"transactionId":"t","partitionId":"%s","status":"dlq","error":"%s"}\
        """
            .formatted(PARTITION, "x".repeat(100_000));

    assertThat(codec.readOne(body(json)))
        .singleElement()
        .isInstanceOfSatisfying(
            AckEntry.Sent.class,
            sent -> assertThat(sent.ack().error().orElseThrow()).hasSize(Texts.MAX_ERROR));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "completed" | COMPLETED
          "success"   | COMPLETED
          null        | COMPLETED
          "failed"    | FAILED
          "dlq"       | DLQ
          "retry"     | RETRY
          """)
  void readOne_understandsEachStatus(String status, AckStatus expected) {
    List<AckEntry> entries =
        codec.readOne(
            body(
                "{\"transactionId\":\"t\",\"partitionId\":\"%s\",\"status\":%s}"
                    .formatted(PARTITION, status)));
    assertThat(((AckEntry.Sent) entries.get(0)).ack().status()).isEqualTo(expected);
  }

  @Test
  void readBatch_appliesTheGroupToAll_andLetsBadIdsFailAlone() {
    List<AckEntry> entries =
        codec.readBatch(
            body(
                """
                {"acknowledgments":[
                  {"transactionId":"a","partitionId":"%1$s","consumerGroup":"ignored"},
                  {"transactionId":"b","partitionId":"no uuid"},
                  {"transactionId":"c","partitionId":"%1$s","leaseId":"no uuid"},
                  {"transactionId":"d","partitionId":"%1$s","leaseId":"","error":null}],
                 "consumerGroup":"g"}\
                """
                    .formatted(PARTITION)));
    assertThat(entries)
        .containsExactly(
            new AckEntry.Sent("a", completed("a")),
            new AckEntry.Unsatisfiable("b", "partitionId must be a UUID"),
            new AckEntry.Unsatisfiable("c", "Invalid or expired lease"),
            new AckEntry.Sent("d", completed("d")));
  }

  @Test
  void readBatch_mixesNoAckWithTheOneBefore() {
    UUID lease = new UUID(5, 6);
    List<AckEntry> entries =
        codec.readBatch(
            body(
                """
                {"consumerGroup":"g","acknowledgments":[
                  {"transactionId":"a","partitionId":"%1$s","leaseId":"%2$s","status":"dlq"},
                  {"transactionId":"b","partitionId":"%1$s","leaseId":"%2$s","status":"dlq"},
                  {"transactionId":"c","partitionId":"%1$s"},
                  {"transactionId":"d","partitionId":"%1$s","leaseId":"%2$s","status":"retry"}]}\
                """
                    .formatted(PARTITION, lease)));
    assertThat(entries)
        .containsExactly(
            new AckEntry.Sent("a", leased("a", lease, AckStatus.DLQ)),
            new AckEntry.Sent("b", leased("b", lease, AckStatus.DLQ)),
            new AckEntry.Sent("c", completed("c")),
            new AckEntry.Sent("d", leased("d", lease, AckStatus.RETRY)));
  }

  private static Ack leased(String id, UUID lease, AckStatus status) {
    return new Ack(
        PARTITION,
        "g",
        new MessageRef.ByTransactionId(id),
        Optional.of(lease),
        status,
        Optional.empty());
  }

  private static Ack completed(String id) {
    return new Ack(
        PARTITION,
        "g",
        new MessageRef.ByTransactionId(id),
        Optional.empty(),
        AckStatus.COMPLETED,
        Optional.empty());
  }

  @Test
  void write_followsTheContract_inTheOrderOfTheRequest() {
    String json =
        AckCodec.write(
                List.of(
                    new AckEntry.Unsatisfiable("a", "Message not found"),
                    new AckEntry.Sent("b", completed("b")),
                    new AckEntry.Sent("c", completed("c")),
                    new AckEntry.Sent("d", completed("d"))),
                List.of(
                    new AckOutcome.Applied("q", "p", true, false),
                    new AckOutcome.Failed(
                        AckOutcome.Reason.LEASE_LOST, Optional.of("q"), Optional.of("p")),
                    new AckOutcome.Rejected(new Problem("no"))))
            .toString();
    assertThat(json)
        .isEqualTo(
            """
            [{"index":0,"transactionId":"a","success":false,"error":"Message not found",\
            "queueName":null,"partitionName":null,"leaseReleased":null,"dlq":false},\
            {"index":1,"transactionId":"b","success":true,"error":null,\
            "queueName":"q","partitionName":"p","leaseReleased":true,"dlq":false},\
            {"index":2,"transactionId":"c","success":false,"error":"Invalid or expired lease",\
            "queueName":"q","partitionName":"p","leaseReleased":null,"dlq":false},\
            {"index":3,"transactionId":"d","success":false,"error":"no",\
            "queueName":null,"partitionName":null,"leaseReleased":null,"dlq":false}]\
            """);
  }
}
