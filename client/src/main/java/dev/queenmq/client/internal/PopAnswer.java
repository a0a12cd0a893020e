package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.queenmq.client.PayloadException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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

  private enum Field {
    ID("id"),
    TRANSACTION_ID("transactionId"),
    TRACE_ID("traceId"),
    DATA("data"),
    PRODUCER("producerSub"),
    CREATED_AT("createdAt"),
    QUEUE("queue"),
    PARTITION_ID("partitionId"),
    PARTITION("partition"),
    LEASE_ID("leaseId"),
    GROUP("consumerGroup"),
    ATTEMPT("attempt"),
    LEASE_EXPIRES_AT("leaseExpiresAt"),
    OTHER("");

    private final String text;

    Field(String text) {
      this.text = text;
    }
  }

  private static final Map<String, FieldOrder.Known<Field>> FIELDS =
      FieldOrder.byName(Field.values(), field -> field.text);

  private final byte[] body;
  private final String queue;
  private final FieldOrder<Field> fields = new FieldOrder<>(FIELDS, Field.OTHER);
  private final RepeatedText<String> queues;
  private final RepeatedText<String> partitions;
  private final RepeatedText<String> partitionIds;
  private final RepeatedText<String> leases;
  private final RepeatedText<String> groups;
  private final RepeatedText<Instant> creations;
  private final RepeatedText<Instant> expiries;

  private PopAnswer(byte[] body, String queue) {
    this.body = body;
    this.queue = queue;
    queues = new RepeatedText<>(body, Function.identity());
    partitions = new RepeatedText<>(body, Function.identity());
    partitionIds = new RepeatedText<>(body, Function.identity());
    leases = new RepeatedText<>(body, Function.identity());
    groups = new RepeatedText<>(body, Function.identity());
    creations = new RepeatedText<>(body, InstantText::parse);
    expiries = new RepeatedText<>(body, InstantText::parse);
  }

  /**
   * The messages of an answer, none if it is empty.
   *
   * @param queue for brokers that do not say it with each message
   */
  public static List<Received> read(byte[] body, String queue) {
    return body.length == 0 ? new ArrayList<>() : new PopAnswer(body, queue).messages();
  }

  private List<Received> messages() {
    List<Received> messages = new ArrayList<>();
    try (JsonParser parser = Json.MAPPER.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new PayloadException("the answer of a pop is no object", null);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("messages") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            messages.add(message(parser));
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

  private Received message(JsonParser parser) throws IOException {
    String id = null;
    String transactionId = null;
    String traceId = null;
    byte[] payload = null;
    String producer = null;
    Instant createdAt = null;
    String itsQueue = queue;
    String partition = "Default";
    String partitionId = null;
    String leaseId = "";
    String group = "__QUEUE_MODE__";
    int attempt = 1;
    Instant expires = null;
    fields.begin();
    for (Field field = fields.next(parser); field != null; field = fields.next(parser)) {
      JsonToken value = parser.nextToken();
      boolean isNull = value == JsonToken.VALUE_NULL;
      switch (field) {
        case DATA -> payload = slice(parser);
        case ID -> id = parser.getText();
        case TRANSACTION_ID -> transactionId = parser.getText();
        case TRACE_ID -> traceId = isNull ? null : parser.getText();
        case PRODUCER -> producer = isNull ? null : parser.getText();
        case CREATED_AT -> createdAt = creations.read(parser);
        case QUEUE -> itsQueue = isNull ? queue : queues.read(parser);
        case PARTITION -> partition = partitions.read(parser);
        case PARTITION_ID -> partitionId = partitionIds.read(parser);
        case LEASE_ID -> leaseId = isNull ? "" : leases.read(parser);
        case GROUP -> group = isNull ? group : groups.read(parser);
        case ATTEMPT -> attempt = parser.getIntValue();
        case LEASE_EXPIRES_AT -> expires = isNull ? null : expiries.read(parser);
        case OTHER -> parser.skipChildren();
      }
    }
    return new Received(
        required(id, "id"),
        required(transactionId, "transactionId"),
        traceId,
        payload == null ? JsonText.nothing() : payload,
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

  private byte[] slice(JsonParser parser) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    // Texts are read lazily: the parser stands in front of them until they are asked for.
    parser.finishToken();
    return Arrays.copyOfRange(body, from, (int) parser.currentLocation().getByteOffset());
  }
}
