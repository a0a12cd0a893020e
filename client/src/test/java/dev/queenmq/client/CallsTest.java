package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.queenmq.client.internal.Json;
import dev.queenmq.client.internal.JsonText;
import dev.queenmq.client.internal.PopAnswer;
import dev.queenmq.client.internal.consumer.Disposition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of requests that are written for each message. */
class CallsTest {
  private static final byte[] PAYLOAD = {'[', '1', ']'};
  private static final UUID TRACE = new UUID(1, 2);

  private final Payloads payloads = new Payloads(JsonMapper.builder().build());

  @Test
  void item_hasAllFields() {
    OutgoingMessage message = OutgoingMessage.of("x");

    assertThat(text(Calls.Item.of("orders", "p1", message.withTraceId(TRACE), PAYLOAD)))
        .isEqualTo(
            "{\"queue\":\"orders\",\"partition\":\"p1\",\"transactionId\":\"%s\",\"traceId\":\"%s\",\"payload\":[1]}"
                .formatted(message.transactionId(), TRACE));
    assertThat(text(Calls.Item.of("orders", null, message, PAYLOAD)))
        .isEqualTo(
            "{\"queue\":\"orders\",\"transactionId\":\"%s\",\"payload\":[1]}"
                .formatted(message.transactionId()));
  }

  /** Only ids of ours need no look at their letters. */
  @ParameterizedTest
  @ValueSource(strings = {"order-17", "a\"},{\"", "a\\", "é", "😀", "a\nb", "Łódź"})
  void item_keepsNames(String name) throws IOException {
    Calls.Item item =
        Calls.Item.of(name, name, OutgoingMessage.of("x").withTransactionId(name), PAYLOAD);

    JsonNode json = Json.MAPPER.readTree(item.json());
    assertThat(json.path("queue").asText()).isEqualTo(name);
    assertThat(json.path("partition").asText()).isEqualTo(name);
    assertThat(json.path("transactionId").asText()).isEqualTo(name);
    assertThat(json).hasSize(4);
  }

  @Test
  void item_ofATrace_hasIt() throws IOException {
    Optional<TraceContext> trace =
        TraceContext.parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    OutgoingMessage message = OutgoingMessage.of("x").inTrace(trace);

    assertThat(
            Json.MAPPER
                .readTree(Calls.Item.of("q", null, message, PAYLOAD).json())
                .path("transactionId")
                .asText())
        .isEqualTo(message.transactionId())
        .endsWith("~b7ad6b7169203331-01");
  }

  @Test
  void item_refusesHalvesOfSurrogatePairs() {
    OutgoingMessage message = OutgoingMessage.of("x").withTransactionId("a\ud83d");

    assertThatThrownBy(() -> Calls.Item.of("q", null, message, PAYLOAD))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void acks_haveTheIdsOfTheirMessages() {
    List<Calls.Acknowledgment> acks =
        List.of(
            ack("t1", "p1", "l1", Disposition.completed()),
            ack("t2", "p1", "l1", new Disposition(Disposition.Status.FAILED, "why\ud83d")),
            ack("t\"3", "p2", "l1", new Disposition(Disposition.Status.RETRY, null)),
            ack("t4", "p\"2", "", new Disposition(Disposition.Status.DEAD_LETTER, "no")),
            ack("t5", "p1", "l1", Disposition.completed()));

    Calls.AckFields fields = new Calls.AckFields();
    assertThat(
            new String(
                new JsonText().objects("acks", acks, fields::write).end(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"acks":[
            {"transactionId":"t1","partitionId":"p1","leaseId":"l1","status":"completed"},
            {"transactionId":"t2","partitionId":"p1","leaseId":"l1","status":"failed","error":"why\ufffd"},
            {"transactionId":"t\\"3","partitionId":"p2","leaseId":"l1","status":"retry"},
            {"transactionId":"t4","partitionId":"p\\"2","status":"dlq","error":"no"},
            {"transactionId":"t5","partitionId":"p1","leaseId":"l1","status":"completed"}]}
            """
                .replace("\n", ""));
  }

  private Calls.Acknowledgment ack(
      String transactionId, String partitionId, String lease, Disposition disposition) {
    PopAnswer.Received received =
        PopAnswer.read(
                new JsonText()
                    .array(
                        "messages",
                        List.of(
                            new JsonText()
                                .text("id", "i")
                                .text("transactionId", transactionId)
                                .text("partitionId", partitionId)
                                .text("leaseId", lease)
                                .end()),
                        each -> each)
                    .end(),
                "q")
            .get(0);
    return new Calls.Acknowledgment(
        new Message<byte[]>(received, payloads, payloads.type(byte[].class), new NoActions()),
        disposition);
  }

  private static String text(Calls.Item item) {
    return new String(item.json(), StandardCharsets.UTF_8);
  }

  /** Of messages that are only written. */
  private static final class NoActions implements Message.Actions {
    @Override
    public CompletableFuture<Void> settle(Message<?> message, Disposition disposition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isDeferred() {
      return false;
    }

    @Override
    public CompletableFuture<Instant> extend(Message<?> message, Duration by) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> trace(Message<?> message, TraceEvent event) {
      throw new UnsupportedOperationException();
    }
  }
}
