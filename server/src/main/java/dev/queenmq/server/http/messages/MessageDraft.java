package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.TextSlot;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a body has it, before it is checked. One draft may read all messages of a body, one
 * after the other.
 */
public final class MessageDraft implements JsonInput.FieldVisitor {
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

  private final TextSlot queue = TextSlot.ofNames();
  private final TextSlot partition = TextSlot.ofNames();
  private final TextSlot transactionId = TextSlot.ofIds();
  private final TextSlot traceId = TextSlot.ofIds();
  private @Nullable String payload;
  private int payloadBytes;
  private @Nullable String data;
  private int dataBytes;
  // Names that were found to be good: those of the next message are mostly the same.
  private @Nullable String goodQueue;
  private @Nullable String goodPartition;

  /** Reads an item of a push; what is no object is a message without a queue. */
  public static MessageDraft read(JsonInput in) throws IOException {
    MessageDraft draft = new MessageDraft();
    draft.take(in);
    return draft;
  }

  /** Forgets what it was and reads an item. */
  void take(JsonInput in) throws IOException {
    queue.clear();
    partition.clear();
    transactionId.clear();
    traceId.clear();
    payload = null;
    data = null;
    in.fieldsOrSkip(this);
  }

  @Override
  public void visit(JsonInput in, String name) throws IOException {
    switch (name) {
      case "payload" -> readPayload(in);
      case "data" -> readData(in);
      case "queue" -> queue.read(in);
      case "partition" -> partition.read(in);
      case "transactionId" -> transactionId.read(in);
      case "traceId" -> traceId.read(in);
      default -> FIELDS.skip(in, name);
    }
  }

  /** Takes a field if it is a text of a message. */
  boolean set(String name, TextField value) {
    switch (name) {
      case "queue" -> queue.set(value);
      case "partition" -> partition.set(value);
      case "transactionId" -> transactionId.set(value);
      case "traceId" -> traceId.set(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  void readPayload(JsonInput in) throws IOException {
    payload = in.raw();
    payloadBytes = in.rawBytes();
  }

  /** The payload by the name that pops give it. */
  void readData(JsonInput in) throws IOException {
    data = in.raw();
    dataBytes = in.rawBytes();
  }

  /**
   * The message.
   *
   * @param noPayload what a payload is that is not given, in ASCII
   * @param producer who pushes it
   */
  public Message message(MessageIds ids, String noPayload, @Nullable String producer) {
    String queueName = queueName();
    String partitionName = partitionName();
    String id =
        transactionId.isAbsent()
            ? ids.random().toString()
            : Texts.id("transactionId", transactionId.required("TransactionId must be a string"));
    UUID trace = trace(traceId.isAbsent() ? "" : traceId.required("TraceId must be a string"));
    settlePayload(noPayload);
    return new Message(
        queueName,
        partitionName,
        ids.next(),
        id,
        Objects.requireNonNull(payload),
        trace,
        producer,
        false,
        null,
        payloadBytes);
  }

  private String queueName() {
    String name = queue.required("Queue must be a string");
    if (!name.equals(goodQueue)) {
      goodQueue = Texts.queue("queue", name);
    }
    return name;
  }

  private String partitionName() {
    if (partition.isAbsent()) {
      return DEFAULT_PARTITION;
    }
    String name = partition.required("Partition must be a string");
    if (!name.equals(goodPartition)) {
      goodPartition = Texts.name("partition", name);
    }
    return name;
  }

  /** Where one of the two names stands for null it may be left out, as any other field. */
  private void settlePayload(String noPayload) {
    if (data == null) {
      if (payload == null) {
        payload = noPayload;
        payloadBytes = noPayload.length();
      }
    } else if (payload == null || payload.equals(NULL)) {
      payload = data;
      payloadBytes = dataBytes;
    } else if (!data.equals(NULL) && !JsonInput.isSame(payload, data)) {
      throw HttpProblem.badRequest("payload and data must not differ");
    }
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
}
