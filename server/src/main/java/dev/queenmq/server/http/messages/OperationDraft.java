package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation of a transaction as a body has it: its type may come last. */
final class OperationDraft {
  private static final KnownNames FIELDS =
      KnownNames.fields(
              "type",
              "items",
              "queue",
              "partition",
              "payload",
              "data",
              "transactionId",
              "traceId",
              "partitionId",
              "leaseId",
              "status",
              "consumerGroup",
              "error")
          .ignoring(
              "attempt",
              "createdAt",
              "id",
              "leaseExpiresAt",
              "messageId",
              "namespace",
              "producerSub",
              "task");

  final AckDraft ack = new AckDraft();
  private final MessageDraft message = new MessageDraft();
  private TextField type = TextField.ABSENT;
  private @Nullable List<MessageDraft> items;
  private boolean grouped;

  static OperationDraft read(JsonInput in, ItemList list) throws IOException {
    if (!in.isObject()) {
      throw HttpProblem.badRequest("Each operation must be an object");
    }
    OperationDraft draft = new OperationDraft();
    in.fields((value, name) -> draft.field(value, name, list));
    return draft;
  }

  private void field(JsonInput in, String name, ItemList list) throws IOException {
    switch (name) {
      case "items" -> items(in, list);
      case "payload" -> message.readPayload(in);
      case "data" -> message.readData(in);
      case "type" -> type = in.text();
      default -> {
        TextField value = in.text();
        boolean ofMessage = message.set(name, value);
        if (!ack.set(name, value) && !ofMessage) {
          FIELDS.check(name);
        }
      }
    }
  }

  private void items(JsonInput in, ItemList list) throws IOException {
    grouped = true;
    if (in.isArray()) {
      items = list.read(in, MessageDraft::read, "items");
    } else {
      in.skip();
      items = null;
    }
  }

  /** Empty if there is none. */
  String type() {
    return type.value();
  }

  /** How many steps it stands for. */
  int size() {
    return items == null ? 1 : items.size();
  }

  /** The messages of a push. */
  List<MessageDraft> messages() {
    if (!grouped) {
      return List.of(message);
    }
    if (items == null) {
      throw HttpProblem.badRequest("items array is required");
    }
    return items;
  }
}
