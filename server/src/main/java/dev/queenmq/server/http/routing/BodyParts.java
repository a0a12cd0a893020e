package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.Body;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a body while it arrives. Memory follows what has arrived and, but for short bodies,
 * not what was announced: an announcement costs a client nothing. A body in one part is not copied,
 * and nothing is copied more than twice, the second time only where a long body has several parts.
 */
final class BodyParts {
  private static final int SMALLEST = 16 << 10;
  private static final int LARGEST = 1 << 20;

  /** How much memory the announced length alone may take; it is counted when the headers arrive. */
  private static final int SHORT = 64 << 10;

  private final long announced;
  private final List<byte[]> full = new ArrayList<>(0);
  private @Nullable Buffer only;
  private byte[] current = new byte[0];
  private int used;
  private long length;

  /**
   * Empty.
   *
   * @param announced bytes in all, or less than 0 if that is not known
   */
  BodyParts(long announced) {
    this.announced = announced;
  }

  long length() {
    return length;
  }

  void add(Buffer chunk) {
    int size = chunk.length();
    if (length == 0) {
      // The usual body comes in one piece.
      only = chunk;
      length = size;
      return;
    }
    if (only != null) {
      copyFirst(only);
      only = null;
    }
    copy(chunk);
    length += size;
  }

  /** If the body is short, there is room for all of it. */
  private void copyFirst(Buffer chunk) {
    used = chunk.length();
    current = new byte[announced > used && announced <= SHORT ? (int) announced : used];
    chunk.getBytes(0, used, current, 0);
  }

  private void copy(Buffer chunk) {
    int size = chunk.length();
    int taken = 0;
    while (taken < size) {
      if (used == current.length) {
        // A client that sends byte by byte must not cost an array for each byte.
        full.add(current);
        current = new byte[next(size - taken)];
        used = 0;
      }
      int part = Math.min(size - taken, current.length - used);
      chunk.getBytes(taken, taken + part, current, used);
      used += part;
      taken += part;
    }
  }

  private int next(int atLeast) {
    long room = Math.max(atLeast, Math.min(LARGEST, Math.max(SMALLEST, length)));
    return (int) (announced > length ? Math.min(room, announced - length) : room);
  }

  /** The whole body; the parts are gone afterwards. */
  Body join() {
    if (only != null) {
      Body whole = body(only);
      clear();
      return whole;
    }
    if (full.isEmpty()) {
      Body whole = new Body(current, used);
      clear();
      return whole;
    }
    byte[] all = new byte[Math.toIntExact(length)];
    int at = 0;
    for (byte[] part : full) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    System.arraycopy(current, 0, all, at, used);
    clear();
    return new Body(all, all.length);
  }

  /** The chunks of requests are on the heap, each in an array of its own: no copy is needed. */
  private static Body body(Buffer chunk) {
    if (chunk instanceof BufferInternal internal) {
      ByteBuf bytes = internal.getByteBuf();
      if (bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.readerIndex() == 0) {
        return new Body(bytes.array(), chunk.length());
      }
    }
    return new Body(chunk.getBytes(), chunk.length());
  }

  private void clear() {
    only = null;
    full.clear();
    current = new byte[0];
    used = 0;
  }
}
