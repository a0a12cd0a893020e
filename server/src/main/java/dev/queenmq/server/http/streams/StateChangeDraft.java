package dev.queenmq.server.http.streams;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.model.streams.StateChange;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/** A change of a stream's state as a body has it. */
final class StateChangeDraft {
  private static final String NO_VALUE = "{}";
  private static final int LONGEST_ECHO = 100;
  private static final KnownNames FIELDS = KnownNames.fields("type", "key", "value");

  private TextField type = TextField.ABSENT;
  private TextField key = TextField.ABSENT;
  private String value = NO_VALUE;
  private OptionalDouble windowEnd = OptionalDouble.empty();

  static StateChangeDraft read(JsonInput in) throws IOException {
    if (!in.isObject()) {
      throw HttpProblem.badRequest("Each of state_ops must be an object");
    }
    StateChangeDraft draft = new StateChangeDraft();
    in.fields(draft::field);
    return draft;
  }

  private void field(JsonInput in, String name) throws IOException {
    switch (name) {
      case "type" -> type = in.text();
      case "key" -> key = in.text();
      case "value" -> value = value(in);
      default -> FIELDS.skip(in, name);
    }
  }

  /** The value as it stands; when its window ends is asked for without it later. */
  private String value(JsonInput in) throws IOException {
    windowEnd = OptionalDouble.empty();
    return in.isObject()
        ? in.raw(
            object ->
                object.fields(
                    (field, name) -> {
                      if (name.equals("windowEnd")) {
                        windowEnd = field.number();
                      } else {
                        field.skip();
                      }
                    }))
        : in.raw();
  }

  /** The change; empty if its type is unknown. */
  Optional<StateChange> change() {
    if (!key.isText()) {
      throw HttpProblem.badRequest("Each of state_ops must have a key");
    }
    return switch (type.value()) {
      case "upsert" -> Optional.of(new StateChange.Put(key.value(), value, windowEnd));
      case "delete" -> Optional.of(new StateChange.Remove(key.value()));
      default -> Optional.empty();
    };
  }

  String problem() {
    return "Unknown state_op type: " + Texts.whole(Texts.shortened(type.value(), LONGEST_ECHO));
  }
}
