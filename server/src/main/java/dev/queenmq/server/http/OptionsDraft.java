package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.store.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a queue as a body has them. */
final class OptionsDraft {
  private static final Set<String> NUMBERS =
      Set.of(
          "leaseTime",
          "retryLimit",
          "retryDelay",
          "maxSize",
          "ttl",
          "priority",
          "delayedProcessing",
          "windowBuffer",
          "retentionSeconds",
          "completedRetentionSeconds",
          "maxWaitTimeSeconds",
          "dedupWindowSeconds");
  private static final Set<String> FLAGS =
      Set.of("deadLetterQueue", "dlqAfterMaxRetries", "retentionEnabled", "encryptionEnabled");
  private static final int SHOWN_RETRY_DELAY = 1000;
  private static final int SHOWN_TTL = 3600;

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
    if (in.isNull()) {
      values.remove(name);
    } else if (NUMBERS.contains(name)) {
      values.put(
          name,
          Optional.ofNullable(in.scalar())
              .flatMap(text -> Optional.ofNullable(WholeNumber.parse(text)))
              .filter(number -> number >= least(name))
              .map(Object.class::cast));
    } else if (FLAGS.contains(name)) {
      values.put(name, Optional.ofNullable(in.bool()));
    } else {
      in.skip();
    }
  }

  private static int least(String name) {
    return switch (name) {
      case "priority" -> Integer.MIN_VALUE;
      case "dedupWindowSeconds" -> -1;
      default -> 0;
    };
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
    if (FLAGS.contains(name)) {
      return HttpProblem.badRequest(name + " must be true or false");
    }
    return HttpProblem.badRequest(
        name
            + " must be a whole number"
            + (name.equals("priority")
                ? ""
                : " between " + least(name) + " and " + Integer.MAX_VALUE));
  }

  /** Every option; where nobody set one, what it is shown as. */
  static void write(JsonGenerator json, QueueOptions options) throws IOException {
    json.writeStartObject();
    number(json, "leaseTime", options.leaseTime(), 0);
    number(json, "retryLimit", options.retryLimit(), 0);
    number(json, "retryDelay", options.retryDelay(), SHOWN_RETRY_DELAY);
    number(json, "maxSize", options.maxSize(), 0);
    number(json, "ttl", options.ttl(), SHOWN_TTL);
    flag(json, "deadLetterQueue", options.deadLetterQueue());
    flag(json, "dlqAfterMaxRetries", options.dlqAfterMaxRetries());
    number(json, "priority", options.priority(), 0);
    number(json, "delayedProcessing", options.delayedProcessing(), 0);
    number(json, "windowBuffer", options.windowBuffer(), 0);
    number(json, "retentionSeconds", options.retentionSeconds(), 0);
    number(json, "completedRetentionSeconds", options.completedRetentionSeconds(), 0);
    flag(json, "retentionEnabled", options.retentionEnabled());
    flag(json, "encryptionEnabled", options.encryptionEnabled());
    number(json, "maxWaitTimeSeconds", options.maxWaitTimeSeconds(), 0);
    number(json, "dedupWindowSeconds", options.dedupWindowSeconds(), 0);
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, @Nullable Integer value, int shown)
      throws IOException {
    json.writeNumberField(name, value == null ? shown : value);
  }

  private static void flag(JsonGenerator json, String name, @Nullable Boolean value)
      throws IOException {
    json.writeBooleanField(name, Boolean.TRUE.equals(value));
  }
}
