package dev.queenmq.server.http.streams;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.messages.AckDraft;
import dev.queenmq.server.http.messages.MessageDraft;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads cycles of stream processors. */
public final class CycleCodec {
  private static final String NO_PAYLOAD = "null";
  private static final KnownNames FIELDS =
      KnownNames.fields(
          "query_id",
          "partition_id",
          "consumer_group",
          "idempotency_key",
          "release_lease",
          "state_ops",
          "push_items",
          "ack");

  private final JsonFactory factory;
  private final ItemList list;
  private final MessageIds ids;

  public CycleCodec(JsonFactory factory, ItemList list, MessageIds ids) {
    this.factory = factory;
    this.list = list;
    this.ids = ids;
  }

  /** What a body asks for, on behalf of a producer. */
  public CycleRequest read(Body body, @Nullable String producer) {
    Draft draft = JsonInput.read(factory, body, this::draft);
    UUID queryId = StreamFields.uuid(draft.queryId, "query_id");
    UUID partitionId = StreamFields.uuid(draft.partitionId, "partition_id");
    String group =
        Texts.name("consumer_group", draft.group.orElse("consumer_group", AckDraft.QUEUE_MODE));
    String key = draft.idempotencyKey.orElse("idempotency_key", "");
    Texts.atMost255("idempotency_key", key);
    List<Message> messages = new ArrayList<>(draft.pushes.size());
    for (MessageDraft push : draft.pushes) {
      messages.add(push.message(ids, NO_PAYLOAD, producer));
    }
    List<StateChange> changes = new ArrayList<>(draft.changes.size());
    @Nullable String error = null;
    for (StateChangeDraft each : draft.changes) {
      Optional<StateChange> change = each.change();
      change.ifPresent(changes::add);
      error = error == null && change.isEmpty() ? each.problem() : error;
    }
    Optional<Cycle.Consumed> consumed = Optional.empty();
    if (draft.ack != null) {
      error = error == null ? draft.ack.problem() : error;
      consumed = error == null ? Optional.of(draft.ack.consumed(draft.release)) : consumed;
    }
    return error == null
        ? new CycleRequest.Sent(
            new Cycle(
                queryId,
                partitionId,
                group,
                changes,
                messages,
                consumed,
                key.isEmpty() ? Optional.empty() : Optional.of(key)))
        : new CycleRequest.Unsatisfiable(queryId, partitionId, error);
  }

  private Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    StreamFields.of(
        in,
        (value, name) -> {
          switch (name) {
            case "query_id" -> draft.queryId = value.text();
            case "partition_id" -> draft.partitionId = value.text();
            case "consumer_group" -> draft.group = value.text();
            case "idempotency_key" -> draft.idempotencyKey = value.text();
            case "release_lease" -> draft.release = StreamFields.flag(value, name, true);
            case "state_ops" ->
                draft.changes = StreamFields.array(value, list, StateChangeDraft::read, name);
            case "push_items" ->
                draft.pushes = StreamFields.array(value, list, MessageDraft::read, name);
            case "ack" -> draft.ack = ConsumedDraft.read(value);
            default -> FIELDS.skip(value, name);
          }
        });
    return draft;
  }

  private static final class Draft {
    TextField queryId = TextField.ABSENT;
    TextField partitionId = TextField.ABSENT;
    TextField group = TextField.ABSENT;
    TextField idempotencyKey = TextField.ABSENT;
    List<StateChangeDraft> changes = List.of();
    List<MessageDraft> pushes = List.of();
    @Nullable ConsumedDraft ack;
    boolean release = true;
  }
}
