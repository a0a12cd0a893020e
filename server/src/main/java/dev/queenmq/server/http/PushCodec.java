package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.MessageIds;
import dev.queenmq.server.store.Problem;
import dev.queenmq.server.store.PushOutcome;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The bodies of a push. */
final class PushCodec {
  static final String QUEUE_FULL = "queue full";

  /** Of an outcome in an answer, with names of a usual length. */
  private static final int OUTCOME_BYTES = 256;

  private static final String NO_PAYLOAD = "null";
  private static final KnownNames FIELDS = KnownNames.fields("items");

  private final JsonFactory factory;
  private final ItemList list;
  private final MessageIds ids;

  PushCodec(JsonFactory factory, ItemList list, MessageIds ids) {
    this.factory = factory;
    this.list = list;
    this.ids = ids;
  }

  /** All messages of a body by nobody in particular, or a problem. */
  List<Message> read(Body body) {
    return read(body, null);
  }

  /**
   * All messages of a body, or a problem.
   *
   * @param producer who pushes them; what the body says of that does not count
   */
  List<Message> read(Body body, @Nullable String producer) {
    List<MessageDraft> drafts = JsonInput.read(factory, body, this::request).items;
    if (drafts == null) {
      throw HttpProblem.badRequest("items array is required");
    }
    List<Message> messages = new ArrayList<>(drafts.size());
    for (MessageDraft draft : drafts) {
      messages.add(draft.message(ids, NO_PAYLOAD, producer));
    }
    return messages;
  }

  private Request request(JsonInput in) throws IOException {
    Request request = new Request();
    if (!in.isObject()) {
      in.skip();
      return request;
    }
    in.fields(
        (value, name) -> {
          if (name.equals("items")) {
            request.items = items(value);
          } else {
            FIELDS.skip(value, name);
          }
        });
    return request;
  }

  private @Nullable List<MessageDraft> items(JsonInput in) throws IOException {
    if (in.isArray()) {
      return list.read(in, MessageDraft::read, "items");
    }
    in.skip();
    return null;
  }

  private static final class Request {
    @Nullable List<MessageDraft> items;
  }

  static Buffer write(List<Message> messages, List<PushOutcome> outcomes) {
    return JsonOutput.write(
        messages.size() * OUTCOME_BYTES,
        json -> {
          json.writeStartArray();
          for (int i = 0; i < messages.size(); i++) {
            json.writeStartObject();
            json.writeNumberField("index", i);
            if (outcomes.get(i) instanceof PushOutcome.Buffered) {
              json.writeStringField("status", "buffered");
              names(json, messages.get(i));
            } else {
              outcome(json, messages.get(i), outcomes.get(i));
              json.writeStringField("queueName", messages.get(i).queue());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void outcome(JsonGenerator json, Message message, PushOutcome outcome)
      throws IOException {
    if (outcome instanceof PushOutcome.Queued queued) {
      queued(
          json,
          message.transactionId(),
          queued.messageId(),
          queued.partitionId(),
          message.traceId());
    } else if (outcome instanceof PushOutcome.Duplicate duplicate) {
      UUID first = duplicate.firstMessageId();
      if (first.equals(message.id())) {
        // A broker that repeats a call without an answer finds what it has stored itself.
        queued(json, message.transactionId(), first, duplicate.partitionId(), message.traceId());
      } else {
        duplicate(json, message.transactionId(), first);
      }
    } else if (outcome instanceof PushOutcome.QueueFull) {
      failed(json, message, new Problem(QUEUE_FULL));
    } else if (outcome instanceof PushOutcome.Rejected rejected) {
      failed(json, message, rejected.problem());
    } else if (outcome instanceof PushOutcome.Unanswered unanswered) {
      failed(json, message, unanswered.problem());
    } else if (outcome instanceof PushOutcome.KeyMissing) {
      failed(json, message, new Problem(MissingKeyException.TEXT));
    }
  }

  static void queued(
      JsonGenerator json,
      String transactionId,
      UUID messageId,
      UUID partitionId,
      @Nullable UUID traceId)
      throws IOException {
    json.writeStringField("status", "queued");
    json.writeStringField("transaction_id", transactionId);
    JsonOutput.uuid(json, "message_id", messageId);
    JsonOutput.uuid(json, "partition_id", partitionId);
    JsonOutput.uuid(json, "trace_id", traceId);
  }

  static void duplicate(JsonGenerator json, String transactionId, UUID first) throws IOException {
    json.writeStringField("status", "duplicate");
    json.writeStringField("transaction_id", transactionId);
    JsonOutput.uuid(json, "message_id", first);
  }

  private static void failed(JsonGenerator json, Message message, Problem problem)
      throws IOException {
    json.writeStringField("status", "failed");
    json.writeStringField("error", problem.text());
    names(json, message);
  }

  private static void names(JsonGenerator json, Message message) throws IOException {
    json.writeStringField("transaction_id", message.transactionId());
    // As older servers name them here, and only here.
    json.writeStringField("transactionId", message.transactionId());
    json.writeStringField("queue", message.queue());
    json.writeStringField("partition", message.partition());
  }
}
