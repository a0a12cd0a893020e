package dev.queenmq.server.spool.log;

import static dev.queenmq.server.spool.log.Entries.append;
import static dev.queenmq.server.spool.log.Entries.drain;
import static dev.queenmq.server.spool.log.Entries.entry;
import static dev.queenmq.server.spool.log.Entries.next;
import static dev.queenmq.server.spool.log.Entries.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.PayloadCipher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files that are not as they were left. */
class SpoolDamageTest {
  private static final String FIRST = Segment.nameOf(1);
  private static final String POSITION = "spool.position";

  private final MemoryDisk disk = new MemoryDisk();

  /** Three records in one file: where they begin, and where the last one ends. */
  private long[] threeRecords() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b", "c");
    }
    int record = RecordFormat.HEADER_BYTES + body("a").length;
    long[] starts = new long[4];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = SegmentHeader.BYTES + (long) i * record;
    }
    assertThat(disk.content(FIRST)).hasSize((int) starts[3]);
    return starts;
  }

  private static byte[] body(String text) {
    return new EntryCodec(PayloadCipher.withoutKeys()).encode(entry(text));
  }

  private static void assertLeft(MemoryDisk found, long damaged, String... texts)
      throws IOException {
    try (Spool spool = open(found)) {
      assertThat(spool.figures().damaged()).isEqualTo(damaged);
      assertThat(spool.figures().pending()).isEqualTo(texts.length);
      append(spool, "new");
      List<String> expected = new ArrayList<>(List.of(texts));
      expected.add("new");
      assertThat(drain(spool)).isEqualTo(expected);
      assertThat(spool.figures().damaged()).as("counted once").isEqualTo(damaged);
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.holds("orders", "p")).isFalse();
    }
    try (Spool spool = open(found)) {
      assertThat(drain(spool)).isEmpty();
    }
  }

  @Test
  void tornTail_costsTheLastRecord_wherever() throws IOException {
    long[] starts = threeRecords();
    byte[] content = disk.content(FIRST);
    for (int length = (int) starts[2]; length < content.length; length++) {
      MemoryDisk torn = disk.afterKill();
      torn.replace(FIRST, Arrays.copyOf(content, length));
      assertLeft(torn, 0, "a", "b");
      // As a file system may leave it: long enough, but with zeros.
      MemoryDisk zeros = disk.afterKill();
      zeros.replace(FIRST, Arrays.copyOf(Arrays.copyOf(content, length), content.length));
      assertLeft(zeros, 0, "a", "b");
    }
  }

  @Test
  void tornTail_isNotReadAgainBehindNewFiles() throws IOException {
    long[] starts = threeRecords();
    disk.replace(FIRST, Arrays.copyOf(disk.content(FIRST), (int) starts[3] - 1));
    try (Spool spool = open(disk)) {
      append(spool, "d");
    }
    assertLeft(disk, 0, "a", "b", "d");
  }

  @Test
  void flippedBit_costsThatRecordOnly_whereverItIs() throws IOException {
    long[] starts = threeRecords();
    byte[] content = disk.content(FIRST);
    for (int at = (int) starts[1]; at < starts[2]; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = content.clone();
        flipped[at] ^= (byte) (1 << bit);
        MemoryDisk damaged = disk.afterKill();
        damaged.replace(FIRST, flipped);
        try (Spool spool = open(damaged)) {
          assertThat(spool.figures().damaged()).as("byte %d bit %d", at, bit).isEqualTo(1);
          assertThat(drain(spool)).containsExactly("a", "c");
          assertThat(spool.figures().damaged()).isEqualTo(1);
        }
        assertThat(damaged.names(Entries.NOWHERE))
            .as("kept to be looked at")
            .contains("spool-000000000001.damaged")
            .doesNotContain(FIRST);
      }
    }
  }

  @Test
  void damageWhileItIsOpen_isFoundWhenItIsRead() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, entry("p", "a"), entry("q", "b"), entry("r", "c"));
      byte[] content = disk.content(FIRST);
      int record = RecordFormat.HEADER_BYTES + body("a").length;
      content[SegmentHeader.BYTES + record + 40] ^= 1;
      content[SegmentHeader.BYTES + 2 * record + 40] ^= 1;
      disk.replace(FIRST, content);
      assertThat(drain(spool)).containsExactly("a");
      assertThat(spool.figures().damaged()).isEqualTo(2);
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.holds("orders", "q")).isFalse();
      assertThat(spool.holds("orders", "r")).isFalse();
    }
  }

  @Test
  void flippedBitInAHeader_costsNothing() throws IOException {
    threeRecords();
    byte[] content = disk.content(FIRST);
    for (int at = 0; at < SegmentHeader.BYTES; at++) {
      byte[] flipped = content.clone();
      flipped[at] ^= 4;
      MemoryDisk damaged = disk.afterKill();
      damaged.replace(FIRST, flipped);
      assertLeft(damaged, 0, "a", "b", "c");
    }
  }

  @Test
  void lostHeader_costsItsFileOnly() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    }
    assertThat(disk.segments()).hasSizeGreaterThan(1);
    byte[] content = disk.content(FIRST);
    Arrays.fill(content, 0, SegmentHeader.BYTES, (byte) 0);
    disk.replace(FIRST, content);
    try (Spool spool = open(disk)) {
      assertThat(spool.figures().damaged()).isEqualTo(1);
      assertThat(drain(spool)).endsWith("j").doesNotContain("a", "b");
    }
  }

  @Test
  void missingBytes_costOneRecord() throws IOException {
    long[] starts = threeRecords();
    byte[] content = disk.content(FIRST);
    int gap = (int) starts[1] + 30;
    byte[] shorter = Arrays.copyOf(content, content.length - 5);
    System.arraycopy(content, gap + 5, shorter, gap, shorter.length - gap);
    disk.replace(FIRST, shorter);
    assertLeft(disk, 1, "a", "c");
  }

  @Test
  void recordOfAnotherFile_isNone() throws IOException {
    // As a file system may leave it after a loss of power: a block that a deleted file had before.
    long[] starts = threeRecords();
    MemoryDisk other = new MemoryDisk();
    try (Spool spool = open(other)) {
      append(spool, "x", "y", "z");
    }
    byte[] content = disk.content(FIRST);
    int from = (int) starts[1];
    System.arraycopy(other.content(FIRST), from, content, from, (int) (starts[2] - starts[1]));
    disk.replace(FIRST, content);
    assertLeft(disk, 1, "a", "c");
  }

  @Test
  void marker_standsInNoText() {
    // It is not UTF-8, so the search for the next record is not led astray by what producers send.
    byte[] marker = new byte[RecordFormat.HEADER_BYTES];
    new RecordFormat(0).put(ByteBuffer.wrap(marker), 1, new byte[0]);
    String text = new String(marker, 0, 4, StandardCharsets.UTF_8);
    assertThat(text).contains("\uFFFD");
  }

  @Test
  void damagedPosition_givesEntriesAgainRatherThanLosingThem() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b", "c");
      spool.done(next(spool, 1), Map.of());
      spool.done(next(spool, 1), Map.of());
    }
    byte[] content = disk.content(POSITION);
    for (int at = 0; at < 44; at++) {
      for (List<Integer> slots : List.of(List.of(0), List.of(4096), List.of(0, 4096))) {
        byte[] flipped = content.clone();
        for (int slot : slots) {
          flipped[slot + at] ^= 1;
        }
        MemoryDisk damaged = disk.afterKill();
        damaged.replace(POSITION, flipped);
        List<String> expected =
            switch (slots.size() * 10_000 + slots.get(0)) {
              case 10_000 -> List.of("c");
              case 14_096 -> List.of("b", "c");
              default -> List.of("a", "b", "c");
            };
        assertLeft(damaged, 0, expected.toArray(String[]::new));
      }
    }
    // All lengths that end in one of the two slots; of those between them some.
    for (int length = 0; length < content.length; length += length % 4096 < 64 ? 1 : 32) {
      MemoryDisk shorter = disk.afterKill();
      shorter.replace(POSITION, Arrays.copyOf(content, length));
      try (Spool spool = open(shorter)) {
        assertThat(drain(spool)).endsWith("b", "c");
      }
    }
  }

  @Test
  void positionBehindTheEnd_losesNothingNew() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b", "c");
      spool.done(next(spool, 2), Map.of());
    }
    // An older copy of the file, without what the position speaks of.
    disk.replace(FIRST, Arrays.copyOf(disk.content(FIRST), SegmentHeader.BYTES));
    assertLeft(disk, 0);
  }

  @Test
  void otherFilesInTheFolder_areLeftAlone() throws IOException {
    disk.replace("spool-1.log.bak", new byte[] {1});
    disk.replace("spool-.log", new byte[] {1});
    disk.replace("readme.txt", new byte[] {1});
    threeRecords();
    assertLeft(disk, 0, "a", "b", "c");
    assertThat(disk.names(Entries.NOWHERE)).contains("spool-1.log.bak", "spool-.log", "readme.txt");
  }

  @Test
  void fileOfANewerVersion_isRefused() throws IOException {
    byte[] file = new byte[SegmentHeader.BYTES];
    new SegmentHeader(1, 1, 0, 0).encoded().get(file);
    ByteBuffer header = ByteBuffer.wrap(file);
    for (int copy = 0; copy < 2; copy++) {
      header.putInt(copy * 64 + 8, 2);
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(file, copy * 64, 44);
      header.putInt(copy * 64 + 44, (int) crc.getValue());
    }
    disk.replace(FIRST, file);
    assertThatThrownBy(
            () ->
                Spool.open(
                    Entries.options(Entries.NOWHERE), Encryption.none(), System::nanoTime, disk))
        .isInstanceOf(SpoolException.class)
        .hasMessageContaining("another version");
    assertThat(disk.segments()).containsExactly(FIRST);
  }

  @Test
  void entryOfANewerVersion_isKeptAsADeadOne() throws IOException {
    byte[] body = body("a");
    body[0] = 2;
    ByteBuffer file = ByteBuffer.allocate(1_000);
    file.put(new SegmentHeader(1, 5, 0, 0).encoded());
    RecordFormat format = new RecordFormat(5);
    format.put(file, 1, body);
    format.put(file, 2, body("b"));
    disk.replace(FIRST, Arrays.copyOf(file.array(), file.position()));
    try (Spool spool = open(disk)) {
      assertThat(spool.figures().pending()).isEqualTo(2);
      assertThat(drain(spool)).containsExactly("b");
      assertThat(spool.figures().dead()).isEqualTo(1);
    }
    assertThat(new String(disk.content("dead.jsonl"), StandardCharsets.UTF_8))
        .contains("\"record\":\"");
  }
}
