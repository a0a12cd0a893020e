package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static dev.queenmq.server.http.messages.Codecs.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionCodecTest {
  private static final UUID ID = new UUID(1, 2);
  private static final String PARTITION = "f92df286-560f-43d5-bb82-5a758050f346";

  private final TransactionCodec codec =
      new TransactionCodec(Codecs.FACTORY, Codecs.LIST, Codecs.IDS);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                          | operations array required
          []                                          | operations array required
          {"operations":1}                            | operations array required
          {"operations":[]}                           | operations array cannot be empty
          {"operations":[{"type":"push","items":[]}]} | operations array cannot be empty
          {"operations":[1]}                          | Each operation must be an object
          {"operations":[{"type":"push"}]}            | Queue must be a string
          {"operations":[{"type":"push","items":1}]}  | items array is required
          {"operations":[{"type":"push","items":[1]}]}| Queue must be a string
          {"operations":[{"type":"push","queue":"q","traceId":"x"}]} | TraceId must be a UUID
          {"operations":[{"type":"ack"}]}             | transactionId is required
          {"operations":[{"type":"ack","transactionId":"t"}]} | partitionId is required to ensure message uniqueness
          {"operations":[{"type":"push","queue":"q"}],"requiredLeases":5} | requiredLeases must be an array
          {"operations":[{"type":"ack","transactionId":"t","partitionId":"x","status":"huh"}]} | status must be completed, success, failed, retry or dlq
          {"operations":[{"type":"push","queue":"d","data":1,"payload":2}]} | payload and data must not differ
          {"operations":[{"type":"push","queue":"d","priorty":1,"transctionId":"t"}]} | unknown field "transctionId", did you mean "transactionId"?
          {"operations":[{},{},{},{},{},{}]}          | operations has more than the limit of 5 elements
          {"operations":[{"type":"push","items":[{"queue":"a"},{"queue":"a"},{"queue":"a"}]},{"type":"push","items":[{"queue":"a"},{"queue":"a"},{"queue":"a"}]}]} | operations has more than the limit of 5 elements
          {"operations":[{"type":"push","items":[1,2,3]},{"type":"push","items":[4,5,6]}]} | operations has more than the limit of 5 elements
          """)
  void read_saysWhatIsWrong(String json, String text) {
    assertBadRequest(() -> codec.read(body(json)), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"operations":[{"type":"pop"}]}          | Unknown operation type: pop
          {"operations":[{"type":"push","queue":"q"},{"type":"x"}]} | Unknown operation type: x
          {"operations":[{"type":"push","queue":"q"}],"requiredLeases":["x"]} | Invalid or expired lease
          {"operations":[{"type":"push","queue":"q"}],"requiredLeases":[null]} | Invalid or expired lease
          {"operations":[{"type":"ack","transactionId":"t","partitionId":"x"}]} | ACK operation failed: partitionId must be a UUID
          {"operations":[{"type":"ack","transactionId":"t","partitionId":"f92df286-560f-43d5-bb82-5a758050f346","leaseId":"x"}]} | ACK operation failed: Invalid or expired lease
          {"operations":[{"type":"ack","transactionId":"t","partitionId":"x","status":"retry"}]} | ACK operation failed: partitionId must be a UUID
          {"operations":[{"type":"ack","transactionId":"t","partitionId":"f92df286-560f-43d5-bb82-5a758050f346","status":"retry"}]} | ACK operation failed: Unknown error
          """)
  void read_findsWhatCannotSucceed(String json, String error) {
    assertThat(codec.read(body(json))).isEqualTo(new TransactionRequest.Unsatisfiable(error));
  }

  @Test
  void read_flattensOperations_whereverTheirTypeStands() {
    TransactionRequest request =
        codec.read(
            body(
                """
                {"requiredLeases":["01a1dc97-dd52-7000-8841-dc2dbe138860"],"operations":[
                  {"transactionId":"t","partitionId":"%s","consumerGroup":"g","type":"ack"},
                  {"items":[{"queue":"a"},{"queue":"b","payload": [1, 2],"partition":"p"}],"type":"push"},
                  {"queue":"c","data":{"x": 1},"type":"push","transactionId":"u"},
                  {"type":"push","queue":"d","data":null,"payload":2}]}\
                """
                    .formatted(PARTITION)));

    Transaction transaction = ((TransactionRequest.Sent) request).transaction();
    assertThat(transaction.requiredLeases())
        .containsExactly(UUID.fromString("01a1dc97-dd52-7000-8841-dc2dbe138860"));
    assertThat(transaction.operations().get(0))
        .isInstanceOfSatisfying(
            Operation.Acknowledge.class, ack -> assertThat(ack.ack().group()).isEqualTo("g"));
    assertThat(transaction.operations().stream().skip(1))
        .extracting(operation -> ((Operation.Push) operation).message())
        .extracting(message -> message.queue() + " " + message.payload())
        .containsExactly("a {}", "b [1, 2]", "c {\"x\": 1}", "d 2");
  }

  @Test
  void write_followsTheContract() {
    Transaction transaction =
        ((TransactionRequest.Sent)
                codec.read(
                    body(
                        """
                        {"operations":[{"type":"ack","transactionId":"t","partitionId":"%s"},
                        {"type":"push","queue":"q","transactionId":"u"}]}\
                        """
                            .formatted(PARTITION))))
            .transaction();
    Message message = ((Operation.Push) transaction.operations().get(1)).message();
    UUID partition = UUID.fromString(PARTITION);

    assertThat(
            TransactionAnswer.write(
                    ID,
                    transaction,
                    new TransactionOutcome.Committed(
                        List.of(
                            new OperationResult.Acknowledged(
                                new AckOutcome.Applied("q", "p", true, true)),
                            new OperationResult.Pushed(
                                new PushOutcome.Queued(
                                    message.id(), partition, 1, Instant.EPOCH)))))
                .toString())
        .isEqualTo(
            """
            {"success":true,"transactionId":"%s","results":[\
            {"index":0,"type":"ack","success":true,"transactionId":"t","error":null,"dlq":true},\
            {"index":1,"type":"push","success":true,"transactionId":"u","messageId":"%s",\
            "partitionId":"%s","queueName":"q"}]}\
            """
                .formatted(ID, message.id(), partition));
    assertThat(failed(transaction, new Cause.LeaseLost()))
        .contains("\"success\":false,\"error\":\"Invalid or expired lease\",\"results\":[]");
    assertThat(
            failed(
                transaction, new Cause.DuplicatePush(1, new PushOutcome.Duplicate(ID, partition))))
        .contains("\"success\":false", "duplicate key");
    assertThat(
            failed(
                transaction,
                new Cause.AckFailed(
                    0,
                    new AckOutcome.Failed(
                        AckOutcome.Reason.MESSAGE_NOT_FOUND, Optional.empty(), Optional.empty()))))
        .contains(
            "\"error\":\"ACK operation failed: Message not found\"",
            "[{\"index\":0,\"type\":\"ack\",\"success\":false,\"transactionId\":\"t\"");
  }

  private static String failed(Transaction transaction, Cause cause) {
    return TransactionAnswer.write(ID, transaction, new TransactionOutcome.RolledBack(cause))
        .toString();
  }
}
