package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.Wire.MalformedException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The fields of a message that came in; those we do not know are never looked at. */
record Fields(Map<String, Object> values) {
  private static final int UUID_BYTES = 16;

  String name(String field) {
    return asName(required(field));
  }

  UUID id(String field) {
    return asId(required(field));
  }

  long number(String field) {
    if (required(field) instanceof Long number) {
      return number;
    }
    throw wrong(field);
  }

  OptionalLong optionalNumber(String field) {
    return values.containsKey(field) ? OptionalLong.of(number(field)) : OptionalLong.empty();
  }

  boolean truth(String field) {
    if (required(field) instanceof Boolean truth) {
      return truth;
    }
    throw wrong(field);
  }

  /** False where nothing is said. */
  boolean flag(String field) {
    return values.containsKey(field) && truth(field);
  }

  <T> List<T> list(String field, Function<Object, T> element) {
    if (required(field) instanceof List<?> list) {
      return list.stream().map(each -> element.apply((Object) each)).toList();
    }
    throw wrong(field);
  }

  /** Plain values only: texts, whole numbers and truth values. */
  Optional<Map<String, Object>> plainValues(String field) {
    if (!values.containsKey(field)) {
      return Optional.empty();
    }
    if (!(required(field) instanceof Map<?, ?> map)) {
      throw wrong(field);
    }
    return Optional.of(
        map.entrySet().stream()
            .filter(each -> plain(each.getValue()))
            .collect(
                Collectors.toUnmodifiableMap(
                    each -> (String) each.getKey(), each -> (Object) each.getValue())));
  }

  static String asName(Object value) {
    if (value instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw wrong("name");
  }

  static UUID asId(Object value) {
    if (value instanceof byte[] bytes && bytes.length == UUID_BYTES) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
    throw wrong("id");
  }

  static PartitionRef asPartition(Object value) {
    if (value instanceof List<?> list && !list.isEmpty()) {
      return new PartitionRef(
          asName(list.get(0)), list.size() > 1 ? Optional.of(asId(list.get(1))) : Optional.empty());
    }
    throw wrong("partition");
  }

  private static boolean plain(Object value) {
    return value instanceof String || value instanceof Long || value instanceof Boolean;
  }

  private Object required(String field) {
    Object value = values.get(field);
    if (value == null) {
      throw new MalformedException("no " + field);
    }
    return value;
  }

  private static MalformedException wrong(String what) {
    return new MalformedException("not a proper " + what);
  }
}
