package dev.queenmq.server.http;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a body while it arrives. Memory follows what has arrived and, but for short bodies,
 * not what was announced: an announcement costs a client nothing. Nothing is copied more than once,
 * and only where a long body has more than one part.
 */
final class BodyParts {
  private static final int SMALLEST = 16 << 10;
  private static final int LARGEST = 1 << 20;

  /** So much memory an announcement alone may take; it is counted when the body is announced. */
  private static final int SHORT = 64 << 10;

  private final long announced;
  private final List<byte[]> full = new ArrayList<>(0);
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
      // The usual body comes in one piece. If it does not, but is short, there is room for all of
      // it.
      current = new byte[announced > size && announced <= SHORT ? (int) announced : size];
      chunk.getBytes(0, size, current, 0);
      used = size;
      length = size;
      return;
    }
    int taken = 0;
    while (taken < size) {
      if (used == current.length) {
        // Whoever sends byte by byte must not make an array for each.
        full.add(current);
        current = new byte[next(size - taken)];
        used = 0;
      }
      int part = Math.min(size - taken, current.length - used);
      chunk.getBytes(taken, taken + part, current, used);
      used += part;
      taken += part;
    }
    length += size;
  }

  private int next(int atLeast) {
    long room = Math.max(atLeast, Math.min(LARGEST, Math.max(SMALLEST, length)));
    return (int) (announced > length ? Math.min(room, announced - length) : room);
  }

  /** The whole body; the parts are gone afterwards. */
  Body join() {
    if (full.isEmpty()) {
      Body only = new Body(current, used);
      clear();
      return only;
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

  private void clear() {
    full.clear();
    current = new byte[0];
    used = 0;
  }
}
