package dev.queenmq.server.spool.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.queenmq.server.encryption.Encryption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Any bytes as the files of a spool: as they are, and as bodies of records with right checksums.
 * What is found is given out once, what is appended then comes behind it, and nothing is left.
 */
@ResourceLock("jazzer")
class SegmentsFuzzTest {
  private static final String SEGMENT = Segment.nameOf(7);
  private static final long SALT = 99;
  private static final int MOST_RECORDS = 1_000;

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/spool/log/segments.dict")
  @FuzzTest
  void segments(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    // The first byte says how much of it is the position.
    int position = Math.min(bytes.length, 1 + (bytes[0] & 0xff));
    MemoryDisk disk = new MemoryDisk();
    disk.replace("spool.position", Arrays.copyOfRange(bytes, 1, position));
    disk.replace(SEGMENT, Arrays.copyOfRange(bytes, position, bytes.length));
    check(disk);

    MemoryDisk records = new MemoryDisk();
    records.replace(SEGMENT, records(bytes));
    check(records);
  }

  /** Chunks of a length, each a record with a sequence number or just itself. */
  private static byte[] records(byte[] bytes) {
    RecordFormat format = new RecordFormat(SALT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    ByteBuffer out =
        ByteBuffer.allocate(SegmentHeader.BYTES + bytes.length * (RecordFormat.HEADER_BYTES + 1));
    out.put(new SegmentHeader(7, SALT, 0, 0).encoded());
    while (in.remaining() >= 2) {
      int kind = in.get() & 0xff;
      byte[] chunk = new byte[Math.min(in.get() & 0xff, in.remaining())];
      in.get(chunk);
      if (kind == 0) {
        out.put(chunk);
      } else {
        format.put(out, kind, chunk);
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void check(MemoryDisk disk) throws IOException {
    Spool spool;
    try {
      spool =
          Spool.open(Entries.options(Entries.NOWHERE), Encryption.none(), System::nanoTime, disk);
    } catch (SpoolException e) {
      // A file of another version.
      assertThat(e.getMessage()).isNotEmpty();
      return;
    }
    try (spool) {
      assertThat(spool.figures().pending()).isBetween(0L, (long) MOST_RECORDS);
      Entries.append(spool, "new");
      List<String> found = Entries.drain(spool);
      assertThat(found).endsWith("new").hasSizeLessThanOrEqualTo(MOST_RECORDS);
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.figures().bytes()).isZero();
      assertThat(spool.holds("orders", "p")).isFalse();
    }
    try (Spool again = Entries.open(disk)) {
      assertThat(again.figures().pending()).isZero();
      assertThat(Entries.drain(again)).isEmpty();
    }
  }
}
