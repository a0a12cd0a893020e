package dev.queenmq.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object of texts and ready-made JSON, as bytes. Payloads are written once, by the
 * client's mapper, and from then on copied as they are.
 */
public final class JsonText {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final char REPLACEMENT = '\ufffd';

  private byte[] buffer;
  private int size;
  private boolean first = true;

  /** Begins an object. */
  public JsonText() {
    this(256);
  }

  /** Begins an object of this many bytes. If it gets another size, it is copied at the end. */
  public JsonText(int size) {
    buffer = new byte[Math.max(16, size)];
    write('{');
  }

  /**
   * A field with a text; null leaves it out.
   *
   * @throws IllegalArgumentException if the text has half a surrogate pair
   */
  public JsonText text(String name, @Nullable String value) {
    return text(new FieldName(name), value);
  }

  /**
   * A field with a text; null leaves it out.
   *
   * @throws IllegalArgumentException if the text has half a surrogate pair
   */
  public JsonText text(FieldName name, @Nullable String value) {
    if (value != null) {
      name(name);
      quoted(value);
    }
    return this;
  }

  /**
   * A field with a text that mostly is the same as the last one of its kind.
   *
   * @param last where that one stands in this object; from now on, where this one does
   * @throws IllegalArgumentException if the text has half a surrogate pair
   */
  public JsonText text(FieldName name, String value, WrittenText last) {
    name(name);
    int begin = size;
    if (last.is(value)) {
      ensure(last.length());
      System.arraycopy(buffer, last.from(), buffer, begin, last.length());
      size += last.length();
    } else {
      quoted(value);
    }
    last.set(value, begin, size);
    return this;
  }

  /**
   * A field with a text that needs no look at its letters, because we made it.
   *
   * @param value of ASCII letters, digits and hyphens
   */
  public JsonText plainText(FieldName name, String value) {
    name(name);
    ensure(value.length() + 2);
    buffer[size++] = '"';
    copy(value);
    buffer[size++] = '"';
    return this;
  }

  /** The only method of the platform that copies letters as bytes, and makes no array for it. */
  @SuppressWarnings("deprecation")
  private void copy(String ascii) {
    ascii.getBytes(0, ascii.length(), buffer, size);
    size += ascii.length();
  }

  /**
   * A field with a text in which halves of surrogate pairs are replaced; null leaves it out. For
   * what people read. {@link #text} is for names, and refuses such halves: replaced, two different
   * names could become the same.
   */
  public JsonText freeText(FieldName name, @Nullable String value) {
    return text(name, value == null ? null : whole(value));
  }

  /** The text with U+FFFD in place of each half of a surrogate pair, which UTF-8 cannot have. */
  private static String whole(String value) {
    if (value.chars().noneMatch(each -> Character.isSurrogate((char) each))) {
      return value;
    }
    StringBuilder whole = new StringBuilder(value.length());
    value
        .codePoints()
        .map(
            each ->
                each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE
                    ? REPLACEMENT
                    : each)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  /** A field with JSON. */
  public JsonText json(String name, byte[] value) {
    return json(new FieldName(name), value);
  }

  /** A field with JSON. */
  public JsonText json(FieldName name, byte[] value) {
    name(name);
    write(value);
    return this;
  }

  /**
   * A field with an array of JSON values.
   *
   * @param json a value as JSON
   */
  public <T> JsonText array(String name, Iterable<T> values, Function<? super T, byte[]> json) {
    name(new FieldName(name));
    write('[');
    boolean begun = false;
    for (T value : values) {
      if (begun) {
        write(',');
      }
      begun = true;
      write(json.apply(value));
    }
    write(']');
    return this;
  }

  /**
   * A field with an array of objects, each written where it belongs.
   *
   * @param fields writes those of one object
   */
  public <T> JsonText objects(
      String name, Iterable<T> values, BiConsumer<? super T, JsonText> fields) {
    name(new FieldName(name));
    write('[');
    boolean begun = false;
    for (T value : values) {
      if (begun) {
        write(',');
      }
      begun = true;
      write('{');
      first = true;
      fields.accept(value, this);
      write('}');
    }
    first = false;
    write(']');
    return this;
  }

  /**
   * How many bytes {@link #text} writes, with the comma before or after it, if nothing in the value
   * is written otherwise than as one byte.
   */
  public static int sizeOfText(FieldName name, @Nullable String value) {
    return value == null ? 0 : sizeOfName(name) + value.length() + 3;
  }

  /** How many bytes {@link #json} writes, with the comma before or after it. */
  public static int sizeOfJson(FieldName name, byte[] value) {
    return sizeOfName(name) + value.length + 1;
  }

  private static int sizeOfName(FieldName name) {
    return name.json().length;
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

  /** Ends the object. Nothing is copied if its size was known. */
  public byte[] end() {
    write('}');
    return size == buffer.length ? buffer : Arrays.copyOf(buffer, size);
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

  private void name(FieldName name) {
    byte[] json = name.json();
    ensure(json.length + 1);
    if (!first) {
      buffer[size++] = ',';
    }
    first = false;
    System.arraycopy(json, 0, buffer, size, json.length);
    size += json.length;
  }

  private void quoted(String value) {
    if (!plain(value)) {
      write(string(value));
    }
  }

  /**
   * Writes a text that stands in JSON as it is, one byte for each character. Of another one it
   * writes nothing, and returns false.
   */
  private boolean plain(String value) {
    int length = value.length();
    ensure(length + 2);
    byte[] into = buffer;
    int at = size;
    into[at++] = '"';
    for (int i = 0; i < length; i++) {
      char each = value.charAt(i);
      if (each < ' ' || each > '~' || each == '"' || each == '\\') {
        return false;
      }
      into[at + i] = (byte) each;
    }
    at += length;
    into[at++] = '"';
    size = at;
    return true;
  }

  private void write(char each) {
    ensure(1);
    buffer[size++] = (byte) each;
  }

  private void write(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  private void ensure(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(size + more, 2 * buffer.length));
    }
  }
}
