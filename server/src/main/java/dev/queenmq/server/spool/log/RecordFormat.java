package dev.queenmq.server.spool.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How a record stands in a segment: marker, length of the body, sequence number, checksum of the
 * body, checksum of these; then the body. The header has a checksum of its own so that a damaged
 * body does not cost its neighbours, and the marker finds the next record behind a damaged header.
 *
 * <p>Checksums begin with the segment's salt, which no producer knows: a payload that looks like a
 * record is none, should the search for the next one ever pass through it.
 */
final class RecordFormat {
  /** The size of the header that precedes each body. */
  static final int HEADER_BYTES = 24;

  /** Sequence numbers are below. */
  static final long MAX_SEQUENCE = 1L << 62;

  static final byte FIRST_BYTE = (byte) 0xE5;

  private static final int MARKER = 0xE551_A70C;
  private static final int CHECKED_BYTES = HEADER_BYTES - Integer.BYTES;

  private final byte[] salt;

  RecordFormat(long salt) {
    this.salt = ByteBuffer.allocate(Long.BYTES).putLong(salt).array();
  }

  void put(ByteBuffer out, long sequence, byte[] body) {
    int start = out.position();
    out.putInt(MARKER).putInt(body.length).putLong(sequence);
    out.putInt(checksum(body, 0, body.length));
    out.putInt(checksum(out.array(), out.arrayOffset() + start, CHECKED_BYTES));
    out.put(body);
  }

  /** The header in these bytes, or null if there is none. */
  @Nullable Header header(byte[] bytes, int at) {
    if (bytes[at] != FIRST_BYTE) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, at, HEADER_BYTES);
    int marker = in.getInt();
    int length = in.getInt();
    long sequence = in.getLong();
    int bodyChecksum = in.getInt();
    return marker == MARKER
            && length >= 0
            && sequence > 0
            && sequence < MAX_SEQUENCE
            && in.getInt() == checksum(bytes, at, CHECKED_BYTES)
        ? new Header(length, sequence, bodyChecksum)
        : null;
  }

  boolean isBodyOf(Header header, byte[] body) {
    return header.bodyChecksum == checksum(body, 0, body.length);
  }

  private int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(salt);
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  record Header(int length, long sequence, int bodyChecksum) {
    long end(long start) {
      return start + HEADER_BYTES + length;
    }
  }
}
