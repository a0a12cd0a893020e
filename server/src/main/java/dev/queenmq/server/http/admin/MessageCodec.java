package dev.queenmq.server.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.WholeNumber;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.Redrive;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bodies of requests about messages and dead letters. */
public final class MessageCodec {
  /** How many dead letters one transaction redrives at most. */
  static final int MAX_REDRIVE = 100_000;

  private static final KnownNames WISH = KnownNames.fields("consumerGroup", "error");
  private static final KnownNames REDRIVE =
      KnownNames.fields(
          "queue",
          "partition",
          "consumerGroup",
          "from",
          "to",
          "requestId",
          "limit",
          "transactionIds");

  /** What the body of a request about one message may say. */
  public record Wish(Optional<String> group, Optional<String> error) {}

  private final JsonFactory factory;
  private final ItemList list;

  public MessageCodec(JsonFactory factory, ItemList list) {
    this.factory = factory;
    this.list = list;
  }

  /** A body that may be left out. */
  public Wish wish(Body body) {
    Draft draft =
        body.isBlank() ? new Draft() : JsonInput.read(factory, body, in -> draft(in, WISH));
    return new Wish(draft.group(), draft.optional("error", draft.error).map(Texts::error));
  }

  /** Which dead letters to give back. */
  public Redrive.Selected redrive(Body body) {
    Draft draft = JsonInput.read(factory, body, in -> draft(in, REDRIVE));
    String queue = draft.queue.orElse("queue", "");
    if (queue.isEmpty()) {
      throw HttpProblem.badRequest("queue is required");
    }
    return new Redrive.Selected(
        new DeadLetterSelection(
            Texts.existing("queue", queue),
            draft.optional("partition", draft.partition).map(it -> Texts.existing("partition", it)),
            draft.group(),
            draft.optional("from", draft.from).map(it -> MessageFilters.moment("from", it)),
            draft.optional("to", draft.to).map(it -> MessageFilters.after("to", it)),
            draft.transactionIds),
        draft.limit,
        draft.optional("requestId", draft.requestId).map(it -> Texts.id("requestId", it)));
  }

  private Draft draft(JsonInput in, KnownNames fields) throws IOException {
    Draft draft = new Draft();
    if (in.isNull()) {
      in.skip();
      return draft;
    }
    if (!in.isObject()) {
      throw HttpProblem.badRequest("The body must be an object");
    }
    in.fields(
        (value, name) -> {
          switch (name) {
            case "queue" -> draft.queue = value.text();
            case "partition" -> draft.partition = value.text();
            case "consumerGroup" -> draft.group = value.text();
            case "from" -> draft.from = value.text();
            case "to" -> draft.to = value.text();
            case "requestId" -> draft.requestId = value.text();
            case "error" -> draft.error = value.text();
            case "limit" -> draft.limit = limit(value);
            case "transactionIds" -> draft.transactionIds = ids(value);
            default -> fields.skip(value, name);
          }
        });
    return draft;
  }

  private static int limit(JsonInput value) throws IOException {
    if (value.isNull()) {
      value.skip();
      return MAX_REDRIVE;
    }
    @Nullable String text = value.scalar();
    @Nullable Integer limit = text == null ? null : WholeNumber.parse(text);
    if (limit == null || limit < 1 || limit > MAX_REDRIVE) {
      throw HttpProblem.badRequest("limit must be a whole number between 1 and " + MAX_REDRIVE);
    }
    return limit;
  }

  private List<String> ids(JsonInput value) throws IOException {
    if (value.isNull()) {
      value.skip();
      return List.of();
    }
    if (!value.isArray()) {
      throw HttpProblem.badRequest("transactionIds must be an array");
    }
    List<String> ids =
        list.read(
            value,
            each -> Texts.id("transactionId", each.text().orElse("transactionId", "")),
            "transactionIds");
    if (ids.isEmpty()) {
      throw HttpProblem.badRequest("transactionIds must not be empty");
    }
    return ids;
  }

  private static final class Draft {
    TextField queue = TextField.ABSENT;
    TextField partition = TextField.ABSENT;
    TextField group = TextField.ABSENT;
    TextField from = TextField.ABSENT;
    TextField to = TextField.ABSENT;
    TextField requestId = TextField.ABSENT;
    TextField error = TextField.ABSENT;
    int limit = MAX_REDRIVE;
    List<String> transactionIds = List.of();

    Optional<String> group() {
      return optional("consumerGroup", group).map(it -> Texts.existing("consumerGroup", it));
    }

    Optional<String> optional(String what, TextField field) {
      String text = field.orElse(what, "");
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
  }
}
