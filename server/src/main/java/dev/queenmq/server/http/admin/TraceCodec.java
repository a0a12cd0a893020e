package dev.queenmq.server.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.admin.Page;
import dev.queenmq.server.admin.Trace;
import dev.queenmq.server.admin.TraceDraft;
import dev.queenmq.server.admin.TraceName;
import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.encryption.PayloadReader;
import dev.queenmq.server.encryption.ShownPayload;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.TextField;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.model.PopRequest;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The bodies of traces. */
public final class TraceCodec {
  static final int MAX_DATA_BYTES = 256 * 1024;
  static final int MAX_NAMES = 32;
  private static final String DEFAULT_EVENT = "info";
  private static final KnownNames FIELDS =
      KnownNames.fields(
              "transactionId", "partitionId", "data", "consumerGroup", "eventType", "traceNames")
          .ignoring("partition", "traceId");

  private final JsonFactory factory;
  private final PayloadReader payloads;

  public TraceCodec(JsonFactory factory, PayloadReader payloads) {
    this.factory = factory;
    this.payloads = payloads;
  }

  /** A trace to record, or a problem. */
  public TraceDraft read(Body body) {
    Draft draft = JsonInput.read(factory, body, TraceCodec::draft);
    if (draft.transactionId.value().isEmpty() || draft.partitionId.value().isEmpty()) {
      throw HttpProblem.badRequest("transactionId and partitionId are required");
    }
    if (draft.data == null) {
      throw HttpProblem.badRequest("data is required");
    }
    if (draft.data.getBytes(StandardCharsets.UTF_8).length > MAX_DATA_BYTES) {
      throw HttpProblem.badRequest("data is larger than the limit of " + MAX_DATA_BYTES + " bytes");
    }
    return new TraceDraft(
        partition(draft.partitionId.value()),
        Texts.id("transactionId", draft.transactionId.value()),
        Texts.name("consumerGroup", draft.group.orElse("consumerGroup", PopRequest.QUEUE_MODE)),
        Texts.id("eventType", draft.eventType.orElse("eventType", DEFAULT_EVENT)),
        draft.data,
        draft.names());
  }

  /** The id of a partition, as a path or a body has it. */
  static UUID partition(String text) {
    @Nullable UUID id = UuidText.parse(text);
    if (id == null) {
      throw HttpProblem.badRequest("partitionId must be a UUID");
    }
    return id;
  }

  private static Draft draft(JsonInput in) throws IOException {
    Draft draft = new Draft();
    in.fieldsOrSkip(draft::field);
    return draft;
  }

  private static final class Draft {
    TextField transactionId = TextField.ABSENT;
    TextField partitionId = TextField.ABSENT;
    TextField group = TextField.ABSENT;
    TextField eventType = TextField.ABSENT;
    @Nullable String data;
    private final Set<String> names = new LinkedHashSet<>();
    private boolean namesAreNone;

    void field(JsonInput in, String name) throws IOException {
      switch (name) {
        case "transactionId" -> transactionId = in.text();
        case "partitionId" -> partitionId = in.text();
        case "consumerGroup" -> group = in.text();
        case "eventType" -> eventType = in.text();
        case "data" -> data = in.raw();
        case "traceNames" -> names(in);
        default -> FIELDS.skip(in, name);
      }
    }

    private void names(JsonInput in) throws IOException {
      names.clear();
      namesAreNone = false;
      if (in.isArray()) {
        in.elements(this::name);
      } else if (in.isNull()) {
        in.skip();
      } else {
        name(in);
      }
    }

    private void name(JsonInput in) throws IOException {
      TextField name = in.text();
      namesAreNone |= !name.isText();
      if (!name.value().isEmpty() && names.size() <= MAX_NAMES) {
        names.add(name.value());
      }
    }

    List<String> names() {
      if (namesAreNone) {
        throw HttpProblem.badRequest("traceNames must be a string or an array of strings");
      }
      if (names.size() > MAX_NAMES) {
        throw HttpProblem.badRequest(
            "traceNames has more than the limit of " + MAX_NAMES + " elements");
      }
      return names.stream().map(name -> Texts.name("traceNames", name)).toList();
    }
  }

  static Buffer recorded(UUID id) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", true);
          JsonOutput.uuid(json, "traceId", id);
          json.writeEndObject();
        });
  }

  static Buffer notFound() {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("success", false);
          json.writeStringField("error", "Message not found");
          json.writeEndObject();
        });
  }

  Buffer traces(Page<Trace> page, int limit, int offset) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("traces");
          for (Trace trace : page.items()) {
            trace(json, trace);
          }
          json.writeEndArray();
          pagination(json, page, limit, offset);
          if (page.truncated()) {
            json.writeBooleanField("truncated", true);
          }
          json.writeEndObject();
        });
  }

  static Buffer names(Page<TraceName> page, int limit, int offset) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("trace_names");
          for (TraceName name : page.items()) {
            json.writeStartObject();
            json.writeStringField("trace_name", name.name());
            json.writeNumberField("trace_count", name.traces());
            json.writeNumberField("message_count", name.messages());
            json.writeStringField("last_seen", Timestamps.millis(name.lastSeen()));
            json.writeEndObject();
          }
          json.writeEndArray();
          pagination(json, page, limit, offset);
          json.writeEndObject();
        });
  }

  private void trace(JsonGenerator json, Trace trace) throws IOException {
    json.writeStartObject();
    JsonOutput.uuid(json, "id", trace.id());
    if (trace.message().isPresent()) {
      message(json, trace.message().get());
    }
    json.writeStringField("event_type", trace.eventType());
    json.writeFieldName("data");
    JsonOutput.raw(json, trace.data());
    json.writeStringField("consumer_group", trace.group());
    json.writeStringField("worker_id", trace.workerId());
    json.writeStringField("created_at", Timestamps.millis(trace.createdAt()));
    json.writeArrayFieldStart("trace_names");
    for (String name : trace.names()) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void message(JsonGenerator json, Trace.TracedMessage message) throws IOException {
    json.writeStringField("transaction_id", message.transactionId());
    JsonOutput.uuid(json, "partition_id", message.partitionId());
    json.writeStringField("queue_name", message.queue());
    json.writeStringField("partition_name", message.partition());
    Optional<ShownPayload> payload =
        message
            .payload()
            .map(
                stored ->
                    payloads.read(
                        stored.text(),
                        stored.form(),
                        new MessageIdentity(
                            message.queue(), message.partition(), stored.messageId())));
    json.writeFieldName("message_payload");
    JsonOutput.raw(json, payload.map(ShownPayload::json).orElse("null"));
    Optional<String> problem = payload.flatMap(ShownPayload::problem);
    if (problem.isPresent()) {
      json.writeStringField("message_payload_error", problem.get());
    }
  }

  private static void pagination(JsonGenerator json, Page<?> page, int limit, int offset)
      throws IOException {
    json.writeNumberField("total", page.total());
    json.writeObjectFieldStart("pagination");
    json.writeNumberField("limit", limit);
    json.writeNumberField("offset", offset);
    OptionalLong next = PageReply.next(page.items().size(), page.total(), limit, offset);
    if (next.isPresent()) {
      json.writeNumberField("nextOffset", next.getAsLong());
    }
    json.writeEndObject();
  }
}
