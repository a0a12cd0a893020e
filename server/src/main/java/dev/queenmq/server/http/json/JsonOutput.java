package dev.queenmq.server.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.queenmq.server.text.Utf8Pieces;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes bodies of answers. */
public final class JsonOutput {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  /** The usual size of an answer about a single thing, in bytes. */
  private static final int USUAL = 256;

  private JsonOutput() {}

  /** Writes one value. */
  @FunctionalInterface
  public interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  public static Buffer write(Body body) {
    return write(USUAL, body);
  }

  /**
   * The same of about a known length.
   *
   * @param bytes expected; if it is more, the answer is copied as it grows
   */
  static Buffer write(int bytes, Body body) {
    Buffer buffer = Buffer.buffer(bytes);
    try (JsonGenerator json = FACTORY.createGenerator(new BufferStream(buffer))) {
      body.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot happen: written to memory", e);
    }
    return buffer;
  }

  /** Appends to a buffer. */
  private static final class BufferStream extends OutputStream {
    private final Buffer buffer;

    BufferStream(Buffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public void write(int octet) {
      buffer.appendByte((byte) octet);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      buffer.appendBytes(bytes, offset, length);
    }
  }

  /** A value that is JSON already, and may be long. */
  public static void raw(JsonGenerator json, String value) throws IOException {
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

  public static void uuid(JsonGenerator json, String field, @Nullable UUID value)
      throws IOException {
    json.writeStringField(field, value == null ? null : value.toString());
  }
}
