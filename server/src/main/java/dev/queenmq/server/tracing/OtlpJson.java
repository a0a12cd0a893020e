package dev.queenmq.server.tracing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Spans as the body of an OTLP request in JSON. Ids are hexadecimal and 64-bit numbers are texts,
 * as the protocol has it.
 */
final class OtlpJson {
  private static final int ERROR = 2;

  /** W3C flags: sampled. */
  private static final int SAMPLED = 1;

  private final JsonFactory factory = new JsonFactory();
  private final Map<String, String> resource;
  private final String version;

  /**
   * A writer.
   *
   * @param version of the broker
   */
  OtlpJson(Map<String, String> resource, String version) {
    this.resource = resource;
    this.version = version;
  }

  byte[] write(List<Span> spans) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512 * spans.size());
    try (JsonGenerator json = factory.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeArrayFieldStart("resourceSpans");
      json.writeStartObject();
      json.writeObjectFieldStart("resource");
      attributes(json, resource);
      json.writeEndObject();
      json.writeArrayFieldStart("scopeSpans");
      json.writeStartObject();
      json.writeObjectFieldStart("scope");
      json.writeStringField("name", "dev.queenmq.server");
      json.writeStringField("version", version);
      json.writeEndObject();
      json.writeArrayFieldStart("spans");
      for (Span span : spans) {
        span(json, span);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: written to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void span(JsonGenerator json, Span span) throws IOException {
    json.writeStartObject();
    json.writeStringField("traceId", span.context().traceText());
    json.writeStringField("spanId", span.context().spanText());
    if (span.parent().isPresent()) {
      json.writeStringField("parentSpanId", span.parent().get().spanText());
    }
    json.writeNumberField("flags", SAMPLED);
    json.writeStringField("name", span.name());
    json.writeNumberField("kind", span.kind().number);
    json.writeStringField("startTimeUnixNano", Long.toString(span.start().epochNanos()));
    json.writeStringField("endTimeUnixNano", Long.toString(span.endEpochNanos()));
    attributes(json, span.attributes());
    if (!span.links().isEmpty()) {
      json.writeArrayFieldStart("links");
      for (SpanContext link : span.links()) {
        json.writeStartObject();
        json.writeStringField("traceId", link.traceText());
        json.writeStringField("spanId", link.spanText());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (span.linksLeftOut() > 0) {
      json.writeNumberField("droppedLinksCount", span.linksLeftOut());
    }
    if (span.error() != null) {
      json.writeObjectFieldStart("status");
      json.writeNumberField("code", ERROR);
      json.writeStringField("message", span.error());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void attributes(JsonGenerator json, Map<String, ?> attributes) throws IOException {
    json.writeArrayFieldStart("attributes");
    for (Map.Entry<String, ?> attribute : attributes.entrySet()) {
      json.writeStartObject();
      json.writeStringField("key", attribute.getKey());
      json.writeObjectFieldStart("value");
      if (attribute.getValue() instanceof Long number) {
        json.writeStringField("intValue", number.toString());
      } else {
        json.writeStringField("stringValue", String.valueOf(attribute.getValue()));
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
