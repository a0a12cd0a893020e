package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.queenmq.client.PayloadException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the answers to pushes and acks, which have an item for each message, in one pass. */
public final class AnswerItems {

  /**
   * What became of one message. Fields that the broker did not send are null or false.
   *
   * @param status of a push
   * @param messageId of a push
   * @param error why it failed
   * @param success of an ack
   * @param deadLetter whether the message of an ack is a dead letter now
   * @param leaseReleased whether an ack ended the lease
   */
  public record Item(
      @Nullable String status,
      @Nullable String messageId,
      @Nullable String error,
      boolean success,
      boolean deadLetter,
      boolean leaseReleased) {
    /** What there is to say of a message that is missing in an answer. */
    public static final Item NONE = new Item(null, null, null, false, false, false);
  }

  /** The fields that we read, and those that are mostly there beside them. */
  private enum Field {
    STATUS("status"),
    MESSAGE_ID("message_id"),
    ERROR("error"),
    SUCCESS("success"),
    DEAD_LETTER("dlq"),
    LEASE_RELEASED("leaseReleased"),
    INDEX("index"),
    PUSHED_ID("transaction_id"),
    ACKED_ID("transactionId"),
    PARTITION_ID("partition_id"),
    TRACE_ID("trace_id"),
    QUEUE("queueName"),
    PARTITION("partitionName"),
    OTHER("");

    private final String text;

    Field(String text) {
      this.text = text;
    }
  }

  private static final Map<String, FieldOrder.Known<Field>> FIELDS =
      FieldOrder.byName(Field.values(), field -> field.text);

  private final byte[] body;
  private final FieldOrder<Field> fields = new FieldOrder<>(FIELDS, Field.OTHER);
  private final RepeatedText<String> statuses;

  private AnswerItems(byte[] body) {
    this.body = body;
    statuses = new RepeatedText<>(body, Function.identity());
  }

  /** The items in their order; none if the answer is no array. */
  public static List<Item> read(byte[] body) {
    return body.length == 0 ? new ArrayList<>() : new AnswerItems(body).items();
  }

  private List<Item> items() {
    List<Item> items = new ArrayList<>();
    try (JsonParser parser = Json.MAPPER.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        parser.skipChildren();
        return items;
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          items.add(item(parser));
        } else {
          parser.skipChildren();
          items.add(Item.NONE);
        }
      }
      return items;
    } catch (IOException e) {
      throw new PayloadException("the broker's answer is not JSON", e);
    }
  }

  private Item item(JsonParser parser) throws IOException {
    String status = null;
    String messageId = null;
    String error = null;
    boolean success = false;
    boolean dead = false;
    boolean released = false;
    fields.begin();
    for (Field field = fields.next(parser); field != null; field = fields.next(parser)) {
      JsonToken value = parser.nextToken();
      switch (field) {
        case STATUS ->
            status = value == JsonToken.VALUE_STRING ? statuses.read(parser) : text(parser, value);
        case MESSAGE_ID -> messageId = text(parser, value);
        case ERROR -> error = text(parser, value);
        case SUCCESS -> success = value == JsonToken.VALUE_TRUE;
        case DEAD_LETTER -> dead = value == JsonToken.VALUE_TRUE;
        case LEASE_RELEASED -> released = value == JsonToken.VALUE_TRUE;
        default -> parser.skipChildren();
      }
    }
    return new Item(status, messageId, error, success, dead, released);
  }

  private static @Nullable String text(JsonParser parser, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    parser.skipChildren();
    return null;
  }
}
