package dev.queenmq.server.spool.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open end of a segment. Guarded by the writer's lock. */
final class SegmentWriter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentWriter.class);

  private final DiskFile file;
  private final Segment segment;
  private final RecordFormat format;
  private long written = SegmentHeader.BYTES;

  private SegmentWriter(DiskFile file, Segment segment, RecordFormat format) {
    this.file = file;
    this.segment = segment;
    this.format = format;
  }

  /** A new file; its records must still be synced, itself need not. */
  static SegmentWriter create(Disk disk, Path folder, SegmentHeader header) throws IOException {
    Path path = folder.resolve(Segment.nameOf(header.number()));
    DiskFile file = disk.create(path);
    try {
      file.write(header.encoded(), 0);
      disk.syncFolder(folder);
    } catch (IOException e) {
      try (file) {
        disk.delete(path);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    RecordFormat format = new RecordFormat(header.salt());
    return new SegmentWriter(
        file, new Segment(header.number(), path, Optional.of(format), SegmentHeader.BYTES), format);
  }

  Segment segment() {
    return segment;
  }

  /** Whether it has room for this many more bytes; an empty one always has. */
  boolean hasRoom(long bytes, long limit) {
    return written == SegmentHeader.BYTES || written + bytes <= limit;
  }

  /** Writes records, which count only after {@link #sync}. */
  void write(List<byte[]> bodies, long firstSequence) throws IOException {
    long sequence = firstSequence;
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes(bodies)));
    for (byte[] body : bodies) {
      format.put(buffer, sequence++, body);
    }
    int length = buffer.position();
    file.write(buffer.flip(), written);
    written += length;
  }

  /** Syncs all that was written; after an exception the file may not be written again. */
  void sync() throws IOException {
    file.sync();
  }

  /** What was written and synced counts from now on. */
  void acknowledge(int records, long lastSequence) {
    segment.grown(records, lastSequence, written);
  }

  /** Takes back what was written since the last acknowledgement; whether that worked. */
  boolean takeBack() {
    try {
      file.truncate(segment.end());
      written = segment.end();
      return true;
    } catch (IOException e) {
      LOG.warn(
          "The end of {} cannot be cut off, and a new file is begun: {}",
          segment.path(),
          FileErrorText.described(e));
      return false;
    }
  }

  /** The bytes that these make in a file. */
  static long bytes(List<byte[]> bodies) {
    long bytes = 0;
    for (byte[] body : bodies) {
      bytes += RecordFormat.HEADER_BYTES + body.length;
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("{} cannot be closed: {}", segment.path(), FileErrorText.described(e));
    }
  }
}
