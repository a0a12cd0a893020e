package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.queenmq.server.text.Utf8Pieces;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes bodies of answers. */
final class JsonOutput {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private JsonOutput() {}

  /** Writes one value. */
  @FunctionalInterface
  interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  static Buffer write(Body body) {
    try (ByteArrayBuilder bytes = new ByteArrayBuilder()) {
      try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
        body.write(json);
      }
      return Buffer.buffer(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: written to memory", e);
    }
  }

  /** A value that is JSON already, and may be long. */
  static void raw(JsonGenerator json, String value) throws IOException {
    if (value.length() < Utf8Pieces.LONG) {
      json.writeRawValue(value);
      return;
    }
    // Separators are the generator's business; the value goes past it.
    json.writeRawValue("");
    json.flush();
    OutputStream out = (OutputStream) json.getOutputTarget();
    Utf8Pieces.encode(value, out::write);
  }

  static void uuid(JsonGenerator json, String field, @Nullable UUID value) throws IOException {
    json.writeStringField(field, value == null ? null : value.toString());
  }
}
