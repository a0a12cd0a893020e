package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.WholeNumber;
import dev.queenmq.server.model.admin.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The options of a queue as a body has them. */
final class OptionsDraft {
  /** A consumer that is gone keeps its messages for this long at most: 30 days. */
  static final int MAX_LEASE_SECONDS = 30 * 24 * 3600;

  private static final int MAX_RETRY_DELAY_MILLIS = 7 * 24 * 3600 * 1000;
  private static final int MAX_DELAY_SECONDS = 365 * 24 * 3600;
  private static final int MAX_WINDOW_SECONDS = 30 * 24 * 3600;

  /** What a number may be. */
  private record Bounds(int least, int most) {
    static final Bounds NATURAL = new Bounds(0, Integer.MAX_VALUE);

    boolean contain(int number) {
      return number >= least && number <= most;
    }
  }

  private static final Map<String, Bounds> NUMBERS =
      Map.ofEntries(
          Map.entry("leaseTime", new Bounds(0, MAX_LEASE_SECONDS)),
          Map.entry("retryLimit", Bounds.NATURAL),
          Map.entry("retryDelay", new Bounds(0, MAX_RETRY_DELAY_MILLIS)),
          Map.entry("maxSize", Bounds.NATURAL),
          Map.entry("ttl", Bounds.NATURAL),
          Map.entry("priority", new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE)),
          Map.entry("delayedProcessing", new Bounds(0, MAX_DELAY_SECONDS)),
          Map.entry("windowBuffer", new Bounds(0, MAX_WINDOW_SECONDS)),
          Map.entry("retentionSeconds", Bounds.NATURAL),
          Map.entry("completedRetentionSeconds", Bounds.NATURAL),
          Map.entry("maxWaitTimeSeconds", Bounds.NATURAL),
          Map.entry("dedupWindowSeconds", new Bounds(-1, Integer.MAX_VALUE)));
  private static final Set<String> FLAGS =
      Set.of("deadLetterQueue", "dlqAfterMaxRetries", "retentionEnabled", "encryptionEnabled");
  private static final KnownNames NAMES =
      KnownNames.options(
          Stream.concat(NUMBERS.keySet().stream(), FLAGS.stream()).sorted().toList());

  /** Values that are well formed, and empty ones for those that are not. */
  private final Map<String, Optional<Object>> values = new LinkedHashMap<>();

  private boolean isNoObject;

  static OptionsDraft read(JsonInput in) throws IOException {
    OptionsDraft draft = new OptionsDraft();
    if (in.isObject()) {
      in.fields(draft::field);
    } else if (in.isArray()) {
      // What PHP makes of an object without fields.
      in.elements(element -> draft.refuse(element));
    } else {
      draft.isNoObject = !in.isNull();
      in.skip();
    }
    return draft;
  }

  private void refuse(JsonInput element) throws IOException {
    element.skip();
    isNoObject = true;
  }

  private void field(JsonInput in, String name) throws IOException {
    Bounds bounds = NUMBERS.get(name);
    if (bounds == null && !FLAGS.contains(name)) {
      NAMES.skip(in, name);
    } else if (in.isNull()) {
      values.remove(name);
    } else if (bounds == null) {
      values.put(name, Optional.ofNullable(in.bool()));
    } else {
      values.put(
          name,
          Optional.ofNullable(in.scalar())
              .flatMap(text -> Optional.ofNullable(WholeNumber.parse(text)))
              .filter(bounds::contain)
              .map(Object.class::cast));
    }
  }

  QueueOptions options() {
    if (isNoObject) {
      throw HttpProblem.badRequest("options must be an object");
    }
    JsonObject json = new JsonObject();
    values.forEach((name, value) -> json.put(name, value.orElseThrow(() -> problem(name))));
    return QueueOptions.of(json);
  }

  private static HttpProblem problem(String name) {
    Bounds bounds = NUMBERS.get(name);
    return HttpProblem.badRequest(
        bounds == null
            ? name + " must be true or false"
            : name + " must be a whole number between " + bounds.least() + " and " + bounds.most());
  }

  /** Every option as it is in force. */
  static void write(JsonGenerator json, QueueOptions options) throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, Object> option : options.inForce()) {
      json.writeFieldName(option.getKey());
      if (option.getValue() instanceof Integer number) {
        json.writeNumber(number);
      } else if (option.getValue() instanceof Boolean flag) {
        json.writeBoolean(flag);
      } else {
        json.writeNull();
      }
    }
    json.writeEndObject();
  }
}
