package dev.queenmq.server.spool.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries that cannot be stored, for an operator to look at: a line of JSON for each, with the
 * payload as it was on the disk. It may be moved away at any time, as it is opened for each use. An
 * entry may stand in it twice, if a crash came between its line and the position. For one thread.
 */
final class DeadFile {
  private static final Logger LOG = LoggerFactory.getLogger(DeadFile.class);
  private static final String NAME = "dead.jsonl";
  private static final int CHUNK = 64 << 10;

  private final Disk disk;
  private final Path folder;
  private final Path file;
  private final long maxBytes;
  private final JsonFactory json = new JsonFactory();
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  private DeadFile(Disk disk, Path folder, long maxBytes) {
    this.disk = disk;
    this.folder = folder;
    this.file = folder.resolve(NAME);
    this.maxBytes = maxBytes;
  }

  /** That of a folder, which need not be there. */
  static DeadFile open(Disk disk, Path folder, long maxBytes) throws IOException {
    DeadFile dead = new DeadFile(disk, folder, maxBytes);
    if (disk.names(folder).contains(NAME)) {
      dead.count();
    }
    return dead;
  }

  private void count() throws IOException {
    try (DiskFile in = disk.read(file)) {
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
      while (in.read(chunk.clear(), bytes.get()) > 0) {
        bytes.addAndGet(chunk.position());
        for (int i = 0; i < chunk.position(); i++) {
          if (chunk.get(i) == '\n') {
            entries.incrementAndGet();
          }
        }
      }
    }
  }

  /** Entries in it, when it was last used. */
  long entries() {
    return entries.get();
  }

  /** Its length, when it was last used. */
  long bytes() {
    return bytes.get();
  }

  /**
   * Returns when these are on the disk.
   *
   * @throws SpoolException if there is no room for them
   */
  void add(List<DeadEntry> dead) throws IOException {
    if (dead.isEmpty()) {
      return;
    }
    byte[] lines = lines(dead);
    try (DiskFile out = disk.open(file)) {
      long size = out.size();
      if (size == 0) {
        // It may be new, or moved away since.
        entries.set(0);
        disk.syncFolder(folder);
      }
      if (size + lines.length + 1 > maxBytes) {
        throw new SpoolException(
            Kind.FULL,
            """
            %s has no room for more entries that PostgreSQL does not take; the spool waits. Look \
            at them and move the file away.\
            """
                .formatted(file));
      }
      bytes.set(append(out, size, lines));
      entries.addAndGet(dead.size());
    }
    LOG.error(
        "{} buffered messages cannot be stored, and are in {}; the first is {}",
        dead.size(),
        file,
        dead.get(0).described());
  }

  private static long append(DiskFile out, long size, byte[] lines) throws IOException {
    try {
      long at = size;
      if (!endsWithLine(out, size)) {
        out.write(ByteBuffer.wrap(new byte[] {'\n'}), at++);
      }
      out.write(ByteBuffer.wrap(lines), at);
      out.sync();
      return at + lines.length;
    } catch (IOException e) {
      try {
        out.truncate(size);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private static boolean endsWithLine(DiskFile file, long size) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return size == 0 || (file.read(last, size - 1) == 1 && last.get(0) == '\n');
  }

  private byte[] lines(List<DeadEntry> dead) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (DeadEntry entry : dead) {
      try (JsonGenerator line = json.createGenerator(out)) {
        line.writeStartObject();
        line.writeStringField("reason", entry.reason);
        if (entry.stored.isPresent()) {
          write(line, entry.stored.get());
        } else {
          line.writeStringField("record", entry.record);
        }
        line.writeEndObject();
      }
      out.write('\n');
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator line, EntryCodec.Stored stored) throws IOException {
    Message message = stored.entry().message();
    line.writeStringField("queue", message.queue());
    line.writeStringField("partition", message.partition());
    line.writeStringField("id", message.id().toString());
    line.writeStringField("transactionId", message.transactionId());
    if (message.traceId() != null) {
      line.writeStringField("traceId", message.traceId().toString());
    }
    if (message.producerSub() != null) {
      line.writeStringField("producerSub", message.producerSub());
    }
    line.writeNumberField("acceptedAtMillis", stored.entry().acceptedAtMillis());
    line.writeBooleanField("encrypted", stored.sealed() || message.encrypted());
    line.writeStringField("payload", message.payload());
  }

  /**
   * An entry, and why it is here.
   *
   * @param stored empty if its record is whole but means nothing to this version
   * @param record then, in Base64
   */
  record DeadEntry(String reason, Optional<EntryCodec.Stored> stored, String record) {
    static DeadEntry of(EntryCodec.Stored stored, String reason) {
      return new DeadEntry(reason, Optional.of(stored), "");
    }

    static DeadEntry unknown(byte[] body, String reason) {
      return new DeadEntry(reason, Optional.empty(), Base64.getEncoder().encodeToString(body));
    }

    String described() {
      return stored.map(known -> known.entry().message().toString()).orElse("a record")
          + ": "
          + reason;
    }
  }
}
