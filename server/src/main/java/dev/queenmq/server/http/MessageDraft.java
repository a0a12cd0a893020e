package dev.queenmq.server.http;

import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.MessageIds;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as a body has it, before anybody asks whether it makes sense. */
final class MessageDraft {
  private static final String DEFAULT_PARTITION = "Default";

  private TextField queue = TextField.ABSENT;
  private TextField partition = TextField.ABSENT;
  private TextField transactionId = TextField.ABSENT;
  private TextField traceId = TextField.ABSENT;
  private @Nullable String payload;

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
    if (name.equals("payload")) {
      payload = in.raw();
    } else {
      set(name, in.text());
    }
  }

  /** Takes a field if it is one of a message. */
  void set(String name, TextField value) {
    switch (name) {
      case "queue" -> queue = value;
      case "partition" -> partition = value;
      case "transactionId" -> transactionId = value;
      case "traceId" -> traceId = value;
      default -> {}
    }
  }

  void setPayload(String json) {
    payload = json;
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
        partition.kind() == TextField.Kind.ABSENT
            ? DEFAULT_PARTITION
            : Texts.name("partition", required(partition, "Partition must be a string"));
    String id = optional(transactionId, "TransactionId must be a string");
    UUID trace = trace(optional(traceId, "TraceId must be a string"));
    return new Message(
        queueName,
        partitionName,
        ids.next(),
        id.isEmpty() ? UUID.randomUUID().toString() : Texts.name("transactionId", id),
        payload == null ? noPayload : payload,
        trace,
        producer,
        false);
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
    return field.kind() == TextField.Kind.ABSENT ? "" : required(field, problem);
  }
}
