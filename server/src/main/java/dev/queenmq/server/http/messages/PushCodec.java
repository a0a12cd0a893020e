package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonBytes;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The bodies of a push. */
public final class PushCodec {
  public static final String QUEUE_FULL = "queue full";

  /** Of the answer to a message that was queued, but for names. */
  private static final int OUTCOME_BYTES = 190;

  private static final byte[] FIRST = JsonBytes.ascii("{\"index\":");
  private static final byte[] NEXT = JsonBytes.ascii(",{\"index\":");
  private static final byte[] QUEUED =
      JsonBytes.ascii(",\"status\":\"queued\",\"transaction_id\":");
  private static final byte[] DUPLICATE =
      JsonBytes.ascii(",\"status\":\"duplicate\",\"transaction_id\":");
  private static final byte[] BUFFERED =
      JsonBytes.ascii(",\"status\":\"buffered\",\"transaction_id\":");
  private static final byte[] FAILED = JsonBytes.ascii(",\"status\":\"failed\",\"error\":");
  private static final byte[] TRANSACTION = JsonBytes.ascii(",\"transaction_id\":");
  private static final byte[] OLD_TRANSACTION = JsonBytes.ascii(",\"transactionId\":");
  private static final byte[] MESSAGE_ID = JsonBytes.ascii(",\"message_id\":");
  private static final byte[] PARTITION_ID = JsonBytes.ascii(",\"partition_id\":");
  private static final byte[] TRACE_ID = JsonBytes.ascii(",\"trace_id\":");
  private static final byte[] QUEUE_NAME = JsonBytes.ascii(",\"queueName\":");
  private static final byte[] QUEUE = JsonBytes.ascii(",\"queue\":");
  private static final byte[] PARTITION = JsonBytes.ascii(",\"partition\":");
  private static final String NO_PAYLOAD = "null";
  private static final KnownNames FIELDS = KnownNames.fields("items");

  private final JsonFactory factory;
  private final ItemList list;
  private final MessageIds ids;

  public PushCodec(JsonFactory factory, ItemList list, MessageIds ids) {
    this.factory = factory;
    this.list = list;
    this.ids = ids;
  }

  /** All messages of a body without a producer, or a problem. */
  public List<Message> read(Body body) {
    return read(body, null);
  }

  /**
   * All messages of a body, or a problem.
   *
   * @param producer the subject of the token; what the body says about it is ignored
   */
  List<Message> read(Body body, @Nullable String producer) {
    return JsonInput.read(factory, body, new Request(producer)).messages();
  }

  /**
   * Makes messages of a body while it is read. What is wrong with a message is said once the whole
   * body was found to be JSON.
   */
  private final class Request implements JsonInput.Reader<Request>, JsonInput.FieldVisitor {
    private final @Nullable String producer;
    private final MessageDraft draft = new MessageDraft();
    private @Nullable List<Message> messages;
    private @Nullable HttpProblem problem;

    Request(@Nullable String producer) {
      this.producer = producer;
    }

    @Override
    public Request read(JsonInput in) throws IOException {
      in.fieldsOrSkip(this);
      return this;
    }

    @Override
    public void visit(JsonInput in, String name) throws IOException {
      if (name.equals("items")) {
        items(in);
      } else {
        FIELDS.skip(in, name);
      }
    }

    private void items(JsonInput in) throws IOException {
      problem = null;
      if (in.isArray()) {
        List<Message> read = new ArrayList<>();
        list.each(in, item -> item(item, read), "items");
        messages = read;
      } else {
        in.skip();
        messages = null;
      }
    }

    private void item(JsonInput in, List<Message> read) throws IOException {
      draft.take(in);
      if (problem == null) {
        try {
          read.add(draft.message(ids, NO_PAYLOAD, producer));
        } catch (HttpProblem found) {
          problem = found;
        }
      }
    }

    List<Message> messages() {
      if (messages == null) {
        throw HttpProblem.badRequest("items array is required");
      }
      if (problem != null) {
        throw problem;
      }
      return messages;
    }
  }

  public static Buffer write(List<Message> messages, List<PushOutcome> outcomes) {
    JsonBytes json = new JsonBytes(expected(messages));
    json.raw('[');
    for (int i = 0; i < messages.size(); i++) {
      json.raw(i == 0 ? FIRST : NEXT).number(i);
      write(json, messages.get(i), outcomes.get(i));
      json.raw('}');
    }
    return json.raw(']').finish();
  }

  private static int expected(List<Message> messages) {
    int bytes = 2;
    for (Message message : messages) {
      bytes += OUTCOME_BYTES + message.transactionId().length() + message.queue().length();
    }
    return bytes;
  }

  private static void write(JsonBytes json, Message message, PushOutcome outcome) {
    if (outcome instanceof PushOutcome.Queued queued) {
      queued(json, message, queued.messageId(), queued.partitionId());
    } else if (outcome instanceof PushOutcome.Duplicate duplicate) {
      UUID first = duplicate.firstMessageId();
      if (first.equals(message.id())) {
        // A broker that repeats a call without an answer finds what it has stored itself.
        queued(json, message, first, duplicate.partitionId());
      } else {
        json.raw(DUPLICATE).text(message.transactionId()).raw(MESSAGE_ID).uuid(first);
        json.raw(QUEUE_NAME).text(message.queue());
      }
    } else if (outcome instanceof PushOutcome.QueueFull) {
      failed(json, message, QUEUE_FULL);
    } else if (outcome instanceof PushOutcome.Rejected rejected) {
      failed(json, message, rejected.problem().text());
    } else if (outcome instanceof PushOutcome.Unanswered unanswered) {
      failed(json, message, unanswered.problem().text());
    } else if (outcome instanceof PushOutcome.KeyMissing) {
      failed(json, message, MissingKeyException.TEXT);
    } else if (outcome instanceof PushOutcome.Buffered) {
      names(json.raw(BUFFERED), message);
    }
  }

  private static void queued(JsonBytes json, Message message, UUID id, UUID partitionId) {
    json.raw(QUEUED).text(message.transactionId());
    json.raw(MESSAGE_ID).uuid(id);
    json.raw(PARTITION_ID).uuid(partitionId);
    json.raw(TRACE_ID).uuid(message.traceId());
    json.raw(QUEUE_NAME).text(message.queue());
  }

  private static void failed(JsonBytes json, Message message, String problem) {
    names(json.raw(FAILED).text(problem).raw(TRANSACTION), message);
    json.raw(QUEUE_NAME).text(message.queue());
  }

  /** Writes the ids and names as older servers do in the answer to a push. */
  private static void names(JsonBytes json, Message message) {
    json.text(message.transactionId()).raw(OLD_TRANSACTION).text(message.transactionId());
    json.raw(QUEUE).text(message.queue()).raw(PARTITION).text(message.partition());
  }
}
