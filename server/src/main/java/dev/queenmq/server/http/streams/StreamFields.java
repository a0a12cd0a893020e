package dev.queenmq.server.http.streams;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.UuidText;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** How the fields of stream processors' requests are read. */
final class StreamFields {
  private StreamFields() {}

  /** Walks through the fields of the body. */
  static void of(JsonInput in, JsonInput.FieldVisitor visitor) throws IOException {
    if (!in.isObject()) {
      throw HttpProblem.badRequest("request body must be a JSON object");
    }
    in.fields(visitor);
  }

  static String required(TextField field, String name) {
    if (field.value().isEmpty()) {
      throw HttpProblem.badRequest(name + " is required");
    }
    return field.value();
  }

  static UUID uuid(TextField field, String name) {
    UUID id = UuidText.parse(required(field, name));
    if (id == null) {
      throw HttpProblem.badRequest(name + " must be a UUID");
    }
    return id;
  }

  static boolean flag(JsonInput in, String name, boolean otherwise) throws IOException {
    if (in.isNull()) {
      in.skip();
      return otherwise;
    }
    Boolean flag = in.bool();
    if (flag == null) {
      throw HttpProblem.badRequest(name + " must be true or false");
    }
    return flag;
  }

  static <T> List<T> array(JsonInput in, ItemList list, JsonInput.Reader<T> element, String name)
      throws IOException {
    if (in.isNull()) {
      in.skip();
      return List.of();
    }
    if (!in.isArray()) {
      throw HttpProblem.badRequest(name + " must be an array");
    }
    return list.read(in, element, name);
  }
}
