package dev.queenmq.bench.bound;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Collects the bytes of an answer. */
final class JsonBytes {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int UUID_LENGTH = 36;
  private static final int LONGEST_NUMBER = 20;

  private byte[] bytes;
  private int length;

  JsonBytes(int expected) {
    bytes = new byte[expected];
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  JsonBytes put(byte[] piece) {
    room(piece.length);
    System.arraycopy(piece, 0, bytes, length, piece.length);
    length += piece.length;
    return this;
  }

  JsonBytes put(Buffer piece) {
    int size = piece.length();
    room(size);
    piece.getBytes(bytes, length);
    length += size;
    return this;
  }

  /** A text of plain ASCII without quotes: names and ids of the generator are so. */
  JsonBytes ascii(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[length++] = (byte) text.charAt(i);
    }
    return this;
  }

  JsonBytes number(long value) {
    room(LONGEST_NUMBER);
    long unit = 1;
    while (value / unit >= 10) {
      unit *= 10;
    }
    for (; unit > 0; unit /= 10) {
      bytes[length++] = HEX[(int) (value / unit % 10)];
    }
    return this;
  }

  JsonBytes uuid(UUID id) {
    room(UUID_LENGTH);
    half(id.getMostSignificantBits(), 32, 16);
    bytes[length++] = '-';
    half(id.getLeastSignificantBits(), 48, -1);
    return this;
  }

  private void half(long bits, int dash, int secondDash) {
    for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(int) (bits >>> shift) & 15];
      if (shift == dash || shift == secondDash) {
        bytes[length++] = '-';
      }
    }
  }

  /** Replaces the last byte, a comma, by the end of a list. */
  JsonBytes close(byte[] end) {
    length--;
    return put(end);
  }

  Buffer buffer() {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, length));
  }
}
