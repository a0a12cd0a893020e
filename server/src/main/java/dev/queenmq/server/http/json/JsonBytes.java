package dev.queenmq.server.http.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.queenmq.server.text.Utf8Pieces;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An answer with many objects of one kind, put together by hand. What all of them have in common is
 * copied as it is, and nothing is made for a value: a generator takes several times as long, and an
 * object for each UUID. Commas and names are the caller's business.
 */
public final class JsonBytes {
  private static final byte[] NULL = ascii("null");
  private static final byte[] DIGITS = ascii("0123456789abcdef");
  private static final int UUID_LENGTH = 36;
  private static final int LONG_LENGTH = 20;
  private static final int CHUNK = 1 << 10;

  private final int expected;
  private final byte[] chunk;
  private @Nullable Buffer buffer; // what does not fit into the chunk
  private int used;

  /**
   * An empty answer.
   *
   * @param expected its bytes; if it becomes more, it is copied as it grows
   */
  public JsonBytes(int expected) {
    this.expected = expected;
    chunk = new byte[Math.max(2 * UUID_LENGTH, Math.min(CHUNK, expected))];
  }

  /** A part of answers that is always the same. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A text with its quotes, for answers in which it stands often. */
  public static byte[] quoted(String text) {
    JsonBytes json = new JsonBytes(text.length() + 2);
    return json.text(text).bytes();
  }

  /** The answer; nothing may be written afterwards. */
  public Buffer finish() {
    Buffer whole = buffer == null ? Buffer.buffer(used) : buffer;
    return whole.appendBytes(chunk, 0, used);
  }

  /** The same as bytes, for a part of other answers. */
  public byte[] bytes() {
    return buffer == null ? Arrays.copyOf(chunk, used) : finish().getBytes();
  }

  public JsonBytes raw(byte[] part) {
    if (part.length > chunk.length - used) {
      Buffer flushed = flush();
      if (part.length > chunk.length) {
        flushed.appendBytes(part);
        return this;
      }
    }
    System.arraycopy(part, 0, chunk, used, part.length);
    used += part.length;
    return this;
  }

  /** A value that is JSON already. */
  public JsonBytes raw(String json) {
    if (!hasRoom(json.length())) {
      Utf8Pieces.encode(json, flush()::appendBytes);
      return this;
    }
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c >= 0x80) {
        return raw(json.getBytes(StandardCharsets.UTF_8));
      }
      chunk[used + i] = (byte) c;
    }
    used += json.length();
    return this;
  }

  /** A text, or null. */
  public JsonBytes text(@Nullable String text) {
    if (text == null) {
      return raw(NULL);
    }
    int length = text.length();
    if (!hasRoom(length + 2)) {
      return quote(text);
    }
    int at = used;
    chunk[at++] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') {
        return quote(text);
      }
      chunk[at++] = (byte) c;
    }
    chunk[at++] = '"';
    used = at;
    return this;
  }

  /** A text with characters that take more than one byte. */
  private JsonBytes quote(String text) {
    return raw('"').raw(JsonStringEncoder.getInstance().quoteAsUTF8(text)).raw('"');
  }

  /** A UUID as a text, or null. */
  public JsonBytes uuid(@Nullable UUID value) {
    if (value == null) {
      return raw(NULL);
    }
    room(UUID_LENGTH + 2);
    long high = value.getMostSignificantBits();
    long low = value.getLeastSignificantBits();
    chunk[used++] = '"';
    hex(high >>> 32, 8);
    chunk[used++] = '-';
    hex(high >>> 16, 4);
    chunk[used++] = '-';
    hex(high, 4);
    chunk[used++] = '-';
    hex(low >>> 48, 4);
    chunk[used++] = '-';
    hex(low, 12);
    chunk[used++] = '"';
    return this;
  }

  private void hex(long value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      chunk[used++] = DIGITS[(int) (value >>> shift) & 0xf];
    }
  }

  /** A number that is not negative. */
  public JsonBytes number(int value) {
    room(LONG_LENGTH);
    int digits = 1;
    for (int rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    int rest = value;
    for (int at = used + digits - 1; at >= used; at--) {
      chunk[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    used += digits;
    return this;
  }

  public JsonBytes raw(char ascii) {
    room(1);
    chunk[used++] = (byte) ascii;
    return this;
  }

  /** Whether so much fits into the chunk, once it is empty. */
  private boolean hasRoom(int bytes) {
    if (bytes > chunk.length) {
      return false;
    }
    room(bytes);
    return true;
  }

  private void room(int bytes) {
    if (bytes > chunk.length - used) {
      flush();
    }
  }

  private Buffer flush() {
    if (buffer == null) {
      buffer = Buffer.buffer(expected);
    }
    buffer.appendBytes(chunk, 0, used);
    used = 0;
    return buffer;
  }
}
