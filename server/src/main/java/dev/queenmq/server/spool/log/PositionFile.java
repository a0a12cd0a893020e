package dev.queenmq.server.spool.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Keeps the position over restarts: in two places of a small file, of which the one that does not
 * hold the last good position is written. So a write that is cut off costs nothing. For one thread.
 * Opened for each write, as an interrupted thread loses the files that it has open.
 */
final class PositionFile {
  private static final long MAGIC = 0x5155_4545_4E50_4F53L; // QUEENPOS
  private static final int SLOT_BYTES = 5 * Long.BYTES + Integer.BYTES;
  private static final int CHECKED_BYTES = 5 * Long.BYTES;
  // In different blocks, so that none is written by writing the other.
  private static final long[] SLOTS = {0, 4096};

  private final Disk disk;
  private final Path folder;
  private final Path file;
  private long generation;
  private int slot;
  private boolean exists;

  private PositionFile(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
    this.file = folder.resolve("spool.position");
  }

  /** The file of a folder, and the position in it: the start if none can be read. */
  static Opened open(Disk disk, Path folder) throws IOException {
    PositionFile file = new PositionFile(disk, folder);
    return new Opened(file, file.read());
  }

  private Position read() throws IOException {
    Position position = Position.START;
    try (DiskFile in = disk.open(file)) {
      for (int i = 0; i < SLOTS.length; i++) {
        byte[] bytes = new byte[SLOT_BYTES];
        int count = in.read(ByteBuffer.wrap(bytes), SLOTS[i]);
        Optional<Slot> found = count < SLOT_BYTES ? Optional.empty() : decode(bytes);
        if (found.isPresent() && found.get().generation > generation) {
          generation = found.get().generation;
          position = found.get().position;
          slot = 1 - i;
        }
      }
    }
    return position;
  }

  /** Returns when the position is on the disk; after an exception the last one still is. */
  void write(Position position) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
    bytes.putLong(MAGIC).putLong(generation + 1);
    bytes.putLong(position.segment()).putLong(position.offset()).putLong(position.sequence());
    bytes.putInt(checksum(bytes.array()));
    try (DiskFile out = disk.open(file)) {
      out.write(bytes.flip(), SLOTS[slot]);
      out.sync();
    }
    if (!exists) {
      disk.syncFolder(folder);
      exists = true;
    }
    generation++;
    slot = 1 - slot;
  }

  private static Optional<Slot> decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long magic = in.getLong();
    Slot slot = new Slot(in.getLong(), new Position(in.getLong(), in.getLong(), in.getLong()));
    return magic == MAGIC && in.getInt() == checksum(bytes) && slot.position.isPossible()
        ? Optional.of(slot)
        : Optional.empty();
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKED_BYTES);
    return (int) crc.getValue();
  }

  private record Slot(long generation, Position position) {}

  /** What was found. */
  record Opened(PositionFile file, Position position) {}
}
