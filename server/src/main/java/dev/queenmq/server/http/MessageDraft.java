package dev.queenmq.server.http;

import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.MessageIds;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as a body has it, before anybody asks whether it makes sense. */
final class MessageDraft {
  private static final String DEFAULT_PARTITION = "Default";
  private static final String NULL = "null";

  /** A message that was popped can be pushed as it is, with all its fields. */
  private static final KnownNames FIELDS =
      KnownNames.fields("queue", "partition", "payload", "data", "transactionId", "traceId")
          .ignoring(
              "attempt",
              "consumerGroup",
              "createdAt",
              "id",
              "leaseExpiresAt",
              "leaseId",
              "messageId",
              "namespace",
              "partitionId",
              "producerSub",
              "task");

  private TextField queue = TextField.ABSENT;
  private TextField partition = TextField.ABSENT;
  private TextField transactionId = TextField.ABSENT;
  private TextField traceId = TextField.ABSENT;
  private @Nullable String payload;
  private @Nullable String data;

  /** Reads an item of a push; what is no object is a message without a queue. */
  static MessageDraft read(JsonInput in) throws IOException {
    MessageDraft draft = new MessageDraft();
    if (in.isObject()) {
      in.fields(draft::field);
    } else {
      in.skip();
    }
    return draft;
  }

  private void field(JsonInput in, String name) throws IOException {
    switch (name) {
      case "payload" -> payload = in.raw();
      case "data" -> data = in.raw();
      case "queue" -> queue = in.text();
      case "partition" -> partition = in.text();
      case "transactionId" -> transactionId = in.text();
      case "traceId" -> traceId = in.text();
      default -> FIELDS.skip(in, name);
    }
  }

  /** Takes a field if it is a text of a message. */
  boolean set(String name, TextField value) {
    switch (name) {
      case "queue" -> queue = value;
      case "partition" -> partition = value;
      case "transactionId" -> transactionId = value;
      case "traceId" -> traceId = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  void setPayload(String json) {
    payload = json;
  }

  /** The payload by the name that pops give it. */
  void setData(String json) {
    data = json;
  }

  /**
   * The message.
   *
   * @param noPayload what a payload is that is not given
   * @param producer who pushes it
   */
  Message message(MessageIds ids, String noPayload, @Nullable String producer) {
    String queueName = Texts.name("queue", required(queue, "Queue must be a string"));
    String partitionName =
        partition.isAbsent()
            ? DEFAULT_PARTITION
            : Texts.name("partition", required(partition, "Partition must be a string"));
    String id =
        transactionId.isAbsent()
            ? ids.random().toString()
            : Texts.id("transactionId", required(transactionId, "TransactionId must be a string"));
    UUID trace = trace(optional(traceId, "TraceId must be a string"));
    return new Message(
        queueName, partitionName, ids.next(), id, payload(noPayload), trace, producer, false);
  }

  /** Where one of the two names stands for null it may be left out, as any other field. */
  private String payload(String noPayload) {
    if (data == null) {
      return payload == null ? noPayload : payload;
    }
    if (payload == null || payload.equals(NULL)) {
      return data;
    }
    if (!data.equals(NULL) && !JsonInput.isSame(payload, data)) {
      throw HttpProblem.badRequest("payload and data must not differ");
    }
    return payload;
  }

  private static @Nullable UUID trace(String text) {
    if (text.isEmpty()) {
      return null;
    }
    UUID trace = UuidText.parse(text);
    if (trace == null) {
      throw HttpProblem.badRequest("TraceId must be a UUID");
    }
    return trace;
  }

  private static String required(TextField field, String problem) {
    if (!field.isText()) {
      throw HttpProblem.badRequest(problem);
    }
    return field.value();
  }

  private static String optional(TextField field, String problem) {
    return field.isAbsent() ? "" : required(field, problem);
  }
}
