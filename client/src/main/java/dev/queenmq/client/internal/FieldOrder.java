package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the fields of objects that mostly have the same fields in the same order, as those
 * of an answer do. The parser is asked whether the name comes that came at this place of the last
 * object: it then compares bytes, which takes less than finding out which of all names it is.
 *
 * @param <F> the fields that are known, and one that stands for all others
 */
final class FieldOrder<F extends Enum<F>> {

  /** A field and its name. */
  record Known<F extends Enum<F>>(F field, SerializableString name) {}

  private final Map<String, Known<F>> known;
  private final Known<F> other;
  private final List<Known<F>> order = new ArrayList<>();
  private int at;

  /**
   * Without an order, which it takes from the first object.
   *
   * @param known by their names
   * @param other stands for what is not known
   */
  FieldOrder(Map<String, Known<F>> known, F other) {
    this.known = known;
    this.other = new Known<>(other, new SerializedString(""));
  }

  /** Fields by their names. */
  static <F extends Enum<F>> Map<String, Known<F>> byName(F[] fields, Function<F, String> name) {
    Map<String, Known<F>> known = new HashMap<>();
    for (F field : fields) {
      known.put(name.apply(field), new Known<>(field, new SerializedString(name.apply(field))));
    }
    return Map.copyOf(known);
  }

  /** An object begins. */
  void begin() {
    at = 0;
  }

  /** Goes to the name of the next field, and says which one it is; null at the object's end. */
  @Nullable F next(JsonParser parser) throws IOException {
    Known<F> due = at < order.size() ? order.get(at) : other;
    if (due.field().equals(other.field())) {
      parser.nextToken();
    } else if (parser.nextFieldName(due.name())) {
      at++;
      return due.field();
    }
    return parser.currentToken() == JsonToken.FIELD_NAME ? learn(parser.currentName()) : null;
  }

  private F learn(String name) {
    Known<F> found = known.getOrDefault(name, other);
    if (at == order.size()) {
      order.add(found);
    } else {
      order.set(at, found);
    }
    at++;
    return found.field();
  }
}
