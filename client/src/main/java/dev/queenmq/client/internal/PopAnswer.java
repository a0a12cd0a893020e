package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.queenmq.client.PayloadException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer of a pop in one pass. Payloads are cut out of it as bytes: they are decoded when
 * the application asks for them, as the type that it wants.
 */
public final class PopAnswer {

  /**
   * A message as it came.
   *
   * @param payload JSON, byte for byte as it was pushed
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Received(
      String id,
      String transactionId,
      @Nullable String traceId,
      byte[] payload,
      @Nullable String producerSubject,
      Instant createdAt,
      String queue,
      String partition,
      String partitionId,
      String leaseId,
      String consumerGroup,
      int attempt,
      @Nullable Instant leaseExpiresAt) {}

  private PopAnswer() {}

  /**
   * The messages of an answer, none if it is empty.
   *
   * @param queue for brokers that do not say it with each message
   */
  public static List<Received> read(byte[] body, String queue) {
    List<Received> messages = new ArrayList<>();
    if (body.length == 0) {
      return messages;
    }
    try (JsonParser parser = Json.MAPPER.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new PayloadException("the answer of a pop is no object", null);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("messages") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            messages.add(message(parser, body, queue));
          }
        } else {
          parser.skipChildren();
        }
      }
      return messages;
    } catch (IOException e) {
      throw new PayloadException("the answer of a pop is not JSON", e);
    }
  }

  private static Received message(JsonParser parser, byte[] body, String queue) throws IOException {
    String id = null;
    String transactionId = null;
    String traceId = null;
    byte[] payload = JsonText.nothing();
    String producer = null;
    Instant createdAt = null;
    String itsQueue = queue;
    String partition = "Default";
    String partitionId = null;
    String leaseId = "";
    String group = "__QUEUE_MODE__";
    int attempt = 1;
    Instant expires = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      boolean isNull = value == JsonToken.VALUE_NULL;
      switch (name) {
        case "data" -> payload = slice(parser, body);
        case "id" -> id = parser.getText();
        case "transactionId" -> transactionId = parser.getText();
        case "traceId" -> traceId = isNull ? null : parser.getText();
        case "producerSub" -> producer = isNull ? null : parser.getText();
        case "createdAt" -> createdAt = InstantText.parse(parser.getText());
        case "queue" -> itsQueue = isNull ? queue : parser.getText();
        case "partition" -> partition = parser.getText();
        case "partitionId" -> partitionId = parser.getText();
        case "leaseId" -> leaseId = isNull ? "" : parser.getText();
        case "consumerGroup" -> group = isNull ? group : parser.getText();
        case "attempt" -> attempt = parser.getIntValue();
        case "leaseExpiresAt" -> expires = isNull ? null : InstantText.parse(parser.getText());
        default -> parser.skipChildren();
      }
    }
    return new Received(
        required(id, "id"),
        required(transactionId, "transactionId"),
        traceId,
        payload,
        producer,
        createdAt == null ? Instant.EPOCH : createdAt,
        itsQueue,
        partition,
        required(partitionId, "partitionId"),
        leaseId,
        group,
        attempt,
        expires);
  }

  private static String required(@Nullable String value, String name) {
    return Objects.requireNonNull(value, () -> "a message of the broker has no " + name);
  }

  private static byte[] slice(JsonParser parser, byte[] body) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    // Texts are read lazily: the parser stands in front of them until they are asked for.
    parser.finishToken();
    return Arrays.copyOfRange(body, from, (int) parser.currentLocation().getByteOffset());
  }
}
