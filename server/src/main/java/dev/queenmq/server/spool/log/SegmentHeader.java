package dev.queenmq.server.spool.log;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The beginning of a segment, written twice, because without the salt none of its records can be
 * read.
 *
 * @param number of the segment
 * @param salt with which its checksums begin
 * @param previous the segment before, 0 if there was none
 * @param previousEnd where that one ends: what stands behind was never acknowledged
 */
record SegmentHeader(long number, long salt, long previous, long previousEnd) {
  private static final long MAGIC = 0x5155_4545_4E53_504CL; // QUEENSPL
  private static final int VERSION = 1;
  private static final int COPY_BYTES = 64;
  private static final int CHECKED_BYTES = Long.BYTES + Integer.BYTES + 4 * Long.BYTES;

  /** The size of both copies. */
  static final int BYTES = 2 * COPY_BYTES;

  ByteBuffer encoded() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    for (int copy = 0; copy < 2; copy++) {
      int start = copy * COPY_BYTES;
      out.position(start);
      out.putLong(MAGIC).putInt(VERSION);
      out.putLong(number).putLong(salt).putLong(previous).putLong(previousEnd);
      out.putInt(checksum(out.array(), start));
    }
    return out.rewind();
  }

  /**
   * What the first bytes of a file say, if one of the copies is whole.
   *
   * @throws NewerFormatException if another version of the broker wrote it
   */
  static Optional<SegmentHeader> decode(byte[] bytes) throws NewerFormatException {
    for (int start = 0; start + COPY_BYTES <= bytes.length; start += COPY_BYTES) {
      ByteBuffer in = ByteBuffer.wrap(bytes, start, COPY_BYTES);
      long magic = in.getLong();
      int version = in.getInt();
      SegmentHeader header =
          new SegmentHeader(in.getLong(), in.getLong(), in.getLong(), in.getLong());
      if (magic == MAGIC && in.getInt() == checksum(bytes, start)) {
        if (version != VERSION) {
          throw new NewerFormatException(version);
        }
        return Optional.of(header);
      }
    }
    return Optional.empty();
  }

  private static int checksum(byte[] bytes, int start) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, start, CHECKED_BYTES);
    return (int) crc.getValue();
  }

  /** A file that is whole, and that only another version of the broker can read. */
  static final class NewerFormatException extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    NewerFormatException(int version) {
      super("it has files of format " + version + ", which another version of Queen MQ wrote");
    }
  }
}
