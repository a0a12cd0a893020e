package dev.queenmq.server.http.streams;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.WholeNumber;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StateRead;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The bodies of a question for a stream's state. */
public final class StateCodec {
  private static final KnownNames FIELDS =
      KnownNames.fields(
          "query_id", "partition_id", "keys", "key_prefix", "ripe_at_or_before", "after", "limit");

  /**
   * A question.
   *
   * @param paged whether the client knows that there may be more
   */
  public record Question(StateRead read, boolean paged) {}

  private final JsonFactory factory;
  private final ItemList list;
  private final HttpLimits limits;

  public StateCodec(JsonFactory factory, ItemList list, HttpLimits limits) {
    this.factory = factory;
    this.list = list;
    this.limits = limits;
  }

  public Question read(Body body) {
    Draft draft = JsonInput.read(factory, body, this::draft);
    StateRead read =
        new StateRead(
            StreamFields.uuid(draft.queryId, "query_id"),
            StreamFields.uuid(draft.partitionId, "partition_id"),
            draft.keys.stream().map(StateCodec::key).toList(),
            text(draft.prefix, "key_prefix"),
            draft.ripeAt,
            text(draft.after, "after"),
            draft.limit.orElse(limits.maxItems()),
            limits.maxBodyBytes());
    return new Question(read, draft.limit.isPresent());
  }

  private Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    StreamFields.of(
        in,
        (value, name) -> {
          switch (name) {
            case "query_id" -> draft.queryId = value.text();
            case "partition_id" -> draft.partitionId = value.text();
            case "keys" -> draft.keys = StreamFields.array(value, list, JsonInput::text, name);
            case "key_prefix" -> draft.prefix = value.text();
            case "ripe_at_or_before" -> draft.ripeAt = moment(value, name);
            case "after" -> draft.after = value.text();
            case "limit" -> draft.limit = limit(value);
            default -> FIELDS.skip(value, name);
          }
        });
    return draft;
  }

  private static OptionalDouble moment(JsonInput in, String name) throws IOException {
    if (in.isNull()) {
      in.skip();
      return OptionalDouble.empty();
    }
    OptionalDouble number = in.number();
    if (number.isEmpty()) {
      throw HttpProblem.badRequest(name + " must be a number");
    }
    return number;
  }

  private OptionalInt limit(JsonInput in) throws IOException {
    if (in.isNull()) {
      in.skip();
      return OptionalInt.empty();
    }
    String text = in.scalar();
    Integer number = text == null ? null : WholeNumber.parse(text);
    if (number == null || number < 1 || number > limits.maxItems()) {
      throw HttpProblem.badRequest(
          "limit must be a whole number between 1 and " + limits.maxItems());
    }
    return OptionalInt.of(number);
  }

  private static String key(TextField field) {
    if (!field.isText()) {
      throw HttpProblem.badRequest("Each of keys must be a string");
    }
    return Texts.storable("key", field.value());
  }

  private static Optional<String> text(TextField field, String name) {
    String value = field.orElse(name, "");
    return value.isEmpty() ? Optional.empty() : Optional.of(Texts.storable(name, value));
  }

  static Buffer write(StatePage page) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          json.writeArrayFieldStart("rows");
          for (StatePage.StateRow row : page.rows()) {
            json.writeStartObject();
            json.writeStringField("key", row.key());
            json.writeFieldName("value");
            JsonOutput.raw(json, row.value());
            json.writeStringField("updated_at", Timestamps.offset(row.updatedAt()));
            json.writeEndObject();
          }
          json.writeEndArray();
          if (page.more()) {
            json.writeStringField("next", page.rows().get(page.rows().size() - 1).key());
          }
          json.writeEndObject();
        });
  }

  private static final class Draft {
    TextField queryId = TextField.ABSENT;
    TextField partitionId = TextField.ABSENT;
    List<TextField> keys = List.of();
    TextField prefix = TextField.ABSENT;
    OptionalDouble ripeAt = OptionalDouble.empty();
    TextField after = TextField.ABSENT;
    OptionalInt limit = OptionalInt.empty();
  }
}
