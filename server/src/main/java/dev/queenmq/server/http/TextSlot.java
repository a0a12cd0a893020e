package dev.queenmq.server.http;

import java.io.IOException;

/**
 * A place for a field that should be a text, filled again for each object of a list. A text that is
 * equal to the one before is not made again: all messages of a push mostly name the same queue.
 */
final class TextSlot {
  private TextField.Kind kind = TextField.Kind.ABSENT;
  private String value = "";

  /** The next object begins. */
  void clear() {
    kind = TextField.Kind.ABSENT;
  }

  void read(JsonInput in) throws IOException {
    if (in.isText()) {
      kind = TextField.Kind.TEXT;
      value = in.text(value);
    } else {
      set(in.text());
    }
  }

  void set(TextField field) {
    kind = field.kind();
    value = field.value();
  }

  /** Null is as good as absent. */
  boolean isAbsent() {
    return kind == TextField.Kind.ABSENT || kind == TextField.Kind.NULL;
  }

  /** The text; a problem if it is none. */
  String required(String problem) {
    if (kind != TextField.Kind.TEXT) {
      throw HttpProblem.badRequest(problem);
    }
    return value;
  }
}
