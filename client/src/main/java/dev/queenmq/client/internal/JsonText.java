package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object of texts and ready-made JSON, as bytes. Payloads are written once, by the
 * client's mapper, and from then on copied as they are.
 */
public final class JsonText {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final ByteArrayOutputStream out;
  private boolean first = true;

  /** Begins an object. */
  public JsonText() {
    this(256);
  }

  /** Begins an object of about this many bytes. */
  public JsonText(int size) {
    out = new ByteArrayOutputStream(size);
    out.write('{');
  }

  /** A field with a text; null leaves it out. */
  public JsonText text(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      quoted(value);
    }
    return this;
  }

  /** A field with JSON. */
  public JsonText json(String name, byte[] value) {
    name(name);
    out.writeBytes(value);
    return this;
  }

  /** A field with an array of JSON values. */
  public JsonText array(String name, Iterable<byte[]> values) {
    name(name);
    out.write('[');
    boolean begun = false;
    for (byte[] value : values) {
      if (begun) {
        out.write(',');
      }
      begun = true;
      out.writeBytes(value);
    }
    out.write(']');
    return this;
  }

  /** A text as JSON. */
  public static byte[] string(String value) {
    byte[] escaped = JsonStringEncoder.getInstance().quoteAsUTF8(value);
    byte[] quoted = new byte[escaped.length + 2];
    quoted[0] = '"';
    System.arraycopy(escaped, 0, quoted, 1, escaped.length);
    quoted[quoted.length - 1] = '"';
    return quoted;
  }

  /** Ends the object. */
  public byte[] end() {
    out.write('}');
    return out.toByteArray();
  }

  /**
   * Whether these bytes are exactly one JSON value. What is not would break the request around it.
   */
  public static boolean isValue(byte[] json) {
    try (JsonParser parser = Json.MAPPER.createParser(json)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  /** The JSON value null. */
  public static byte[] nothing() {
    return NULL.clone();
  }

  private void name(String name) {
    if (!first) {
      out.write(',');
    }
    first = false;
    out.write('"');
    out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    out.write('"');
    out.write(':');
  }

  private void quoted(String value) {
    out.writeBytes(string(value));
  }
}
