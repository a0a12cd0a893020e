package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads transactions. */
final class TransactionCodec {
  private static final String NO_PAYLOAD = "{}";
  private static final String ACK_FAILED = "ACK operation failed: ";
  private static final int LONGEST_ECHO = 100;
  private static final String KEY = "idempotencyKey";
  private static final KnownNames FIELDS = KnownNames.fields("operations", "requiredLeases", KEY);

  private final JsonFactory factory;
  private final ItemList list;
  private final MessageIds ids;

  TransactionCodec(JsonFactory factory, ItemList list, MessageIds ids) {
    this.factory = factory;
    this.list = list;
    this.ids = ids;
  }

  /** What a body asks for, without a producer. */
  TransactionRequest read(Body body) {
    return read(body, null);
  }

  /** What a body asks for, on behalf of a producer. */
  TransactionRequest read(Body body, @Nullable String producer) {
    Draft draft = JsonInput.read(factory, body, this::draft);
    if (draft.operations == null) {
      throw HttpProblem.badRequest("operations array required");
    }
    if (draft.leasesAreNoArray) {
      throw HttpProblem.badRequest("requiredLeases must be an array");
    }
    Steps steps = new Steps(producer);
    draft.operations.forEach(steps::add);
    if (steps.operations.isEmpty() && steps.error == null) {
      throw HttpProblem.badRequest("operations array cannot be empty");
    }
    list.check(steps.operations.size(), "operations");
    List<UUID> leases = new ArrayList<>(draft.leases.size());
    for (TextField lease : draft.leases) {
      UUID id = UuidText.parse(lease.value());
      if (id == null) {
        return new TransactionRequest.Unsatisfiable(AckDraft.LEASE_LOST);
      }
      leases.add(id);
    }
    return steps.error == null
        ? new TransactionRequest.Sent(
            new Transaction(steps.operations, leases), draft.idempotencyKey.orElse(KEY, ""))
        : new TransactionRequest.Unsatisfiable(steps.error);
  }

  private Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    if (!in.isObject()) {
      in.skip();
      return draft;
    }
    in.fields(
        (value, name) -> {
          switch (name) {
            case "operations" -> draft.operations = operations(value);
            case "requiredLeases" -> leases(value, draft);
            case KEY -> draft.idempotencyKey = value.text();
            default -> FIELDS.skip(value, name);
          }
        });
    return draft;
  }

  private @Nullable List<OperationDraft> operations(JsonInput in) throws IOException {
    if (in.isArray()) {
      int[] steps = {0};
      return list.read(
          in,
          each -> {
            OperationDraft draft = OperationDraft.read(each, list);
            // As they come: a small body can hold very many items.
            steps[0] += draft.size();
            list.check(steps[0], "operations");
            return draft;
          },
          "operations");
    }
    in.skip();
    return null;
  }

  private void leases(JsonInput in, Draft draft) throws IOException {
    draft.leases = List.of();
    draft.leasesAreNoArray = !in.isArray() && !in.isNull();
    if (in.isArray()) {
      draft.leases = list.read(in, JsonInput::text, "requiredLeases");
    } else {
      in.skip();
    }
  }

  private static final class Draft {
    @Nullable List<OperationDraft> operations;
    List<TextField> leases = List.of();
    boolean leasesAreNoArray;
    TextField idempotencyKey = TextField.ABSENT;
  }

  /** The operations one by one, and the first reason why they cannot succeed. */
  private final class Steps {
    final List<Operation> operations = new ArrayList<>();
    @Nullable String error;
    private final @Nullable String producer;

    Steps(@Nullable String producer) {
      this.producer = producer;
    }

    void add(OperationDraft draft) {
      switch (draft.type()) {
        case "push" ->
            draft
                .messages()
                .forEach(
                    message ->
                        operations.add(
                            new Operation.Push(message.message(ids, NO_PAYLOAD, producer))));
        case "ack" -> ack(draft.ack);
        default ->
            fail(
                "Unknown operation type: "
                    + Texts.whole(Texts.shortened(draft.type(), LONGEST_ECHO)));
      }
    }

    private void ack(AckDraft draft) {
      AckEntry entry =
          draft.entry(
              "transactionId is required", "partitionId is required to ensure message uniqueness");
      if (entry instanceof AckEntry.Unsatisfiable unsatisfiable) {
        fail(ACK_FAILED + unsatisfiable.error());
      } else if (entry instanceof AckEntry.Sent sent && sent.ack().status() != AckStatus.RETRY) {
        operations.add(new Operation.Acknowledge(sent.ack()));
      } else {
        // A retry, which concludes nothing.
        fail(ACK_FAILED + "Unknown error");
      }
    }

    private void fail(String text) {
      error = error == null ? text : error;
    }
  }
}
