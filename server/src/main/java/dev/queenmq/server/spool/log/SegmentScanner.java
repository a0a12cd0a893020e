package dev.queenmq.server.spool.log;

import dev.queenmq.server.spool.log.RecordFormat.Header;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a segment in order, and finds the next whole one behind damage. For one
 * thread.
 *
 * <p>A record whose header is whole but whose body is not is passed over by its length, if a record
 * or the end follows there. Otherwise the next position with a valid header is searched. Damage
 * counts only once a whole record has followed it: what reaches to the end is the tail, and the
 * caller knows whether that may be unfinished.
 */
final class SegmentScanner {
  private static final int WINDOW = 256 << 10;
  private static final byte[] NOTHING = new byte[0];

  private final DiskFile file;
  private final RecordFormat format;
  private final long end;
  private long position;

  private byte[] window = NOTHING;
  private long windowStart;

  private long badFrom = -1;
  private int badRecords;

  /** From a position where a record begins, to a position that the file may not reach. */
  SegmentScanner(DiskFile file, RecordFormat format, long from, long end) throws IOException {
    this.file = file;
    this.format = format;
    this.position = from;
    this.end = Math.min(end, file.size());
  }

  /** The next whole record, or null at the end. */
  @Nullable Found next() throws IOException {
    long skippedFrom = badFrom;
    int skipped = badRecords;
    while (position < end) {
      long start = position;
      @Nullable Header header = headerAt(start);
      if (header != null) {
        byte[] body = bytes(start + RecordFormat.HEADER_BYTES, header.length());
        if (format.isBodyOf(header, body)) {
          position = header.end(start);
          badFrom = -1;
          badRecords = 0;
          return new Found(position, header.sequence(), body, skippedFrom, skipped);
        }
      }
      if (skippedFrom < 0) {
        skippedFrom = start;
      }
      skipped++;
      position = header != null && continues(header.end(start)) ? header.end(start) : search(start);
    }
    badFrom = skippedFrom;
    badRecords = skipped;
    return null;
  }

  /** Where the unreadable tail begins; the end if there is none. To be asked at the end. */
  long tailFrom() {
    return badFrom < 0 ? end : badFrom;
  }

  /** How many records the tail seems to have been. */
  int tailRecords() {
    return badRecords;
  }

  private boolean continues(long at) throws IOException {
    return at == end || headerAt(at) != null;
  }

  private long search(long damaged) throws IOException {
    for (long at = damaged + 1; at + RecordFormat.HEADER_BYTES <= end; at++) {
      ensure(at, RecordFormat.HEADER_BYTES);
      int offset = (int) (at - windowStart);
      int last = window.length - RecordFormat.HEADER_BYTES;
      while (offset <= last && window[offset] != RecordFormat.FIRST_BYTE) {
        offset++;
      }
      at = windowStart + offset;
      if (offset <= last && headerAt(at) != null) {
        return at;
      }
      if (offset > last) {
        at--;
      }
    }
    return end;
  }

  /** A header whose record ends within the segment, or null. */
  private @Nullable Header headerAt(long at) throws IOException {
    if (at + RecordFormat.HEADER_BYTES > end) {
      return null;
    }
    ensure(at, RecordFormat.HEADER_BYTES);
    @Nullable Header header = format.header(window, (int) (at - windowStart));
    return header == null || header.end(at) > end ? null : header;
  }

  private byte[] bytes(long at, int length) throws IOException {
    if (length > WINDOW) {
      return load(at, length);
    }
    ensure(at, length);
    int offset = (int) (at - windowStart);
    return Arrays.copyOfRange(window, offset, offset + length);
  }

  private void ensure(long at, int length) throws IOException {
    if (at < windowStart || at + length > windowStart + window.length) {
      window = load(at, (int) Math.min(Math.max(WINDOW, length), end - at));
      windowStart = at;
    }
  }

  private byte[] load(long at, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    if (file.read(buffer, at) < length) {
      throw new IOException("a file became shorter while it was read");
    }
    return buffer.array();
  }

  /** A whole record. */
  static final class Found {
    private final long end;
    private final long sequence;
    private final byte[] body;
    private final long skippedFrom;
    private final int skipped;

    Found(long end, long sequence, byte[] body, long skippedFrom, int skipped) {
      this.end = end;
      this.sequence = sequence;
      this.body = body;
      this.skippedFrom = skippedFrom;
      this.skipped = skipped;
    }

    /** Where the next one begins. */
    long end() {
      return end;
    }

    long sequence() {
      return sequence;
    }

    byte[] body() {
      return body;
    }

    /** Where the damage before it begins, -1 if there is none. */
    long skippedFrom() {
      return skippedFrom;
    }

    /** How many records that seems to have been. */
    int skipped() {
      return skipped;
    }
  }
}
