package dev.queenmq.server.spool.log;

import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.spool.log.DeadFile.DeadEntry;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The far end of the log: gives out the oldest entries and remembers how far they are settled. For
 * one thread at a time.
 */
final class LogReader {
  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);

  private final Disk disk;
  private final EntryCodec codec;
  private final LogWriter writer;
  private final Segments segments;
  private final HeldPartitions held;
  private final PositionFile positionFile;
  private final DeadFile deadFile;
  private final Counts counts;
  private Position position;
  private long inDoubtUntil;
  private @Nullable SpoolBatch given;
  private boolean closed;

  LogReader(
      Disk disk,
      EntryCodec codec,
      LogWriter writer,
      Recovery.Found found,
      PositionFile.Opened opened,
      DeadFile deadFile,
      Counts counts) {
    this.disk = disk;
    this.codec = codec;
    this.writer = writer;
    this.segments = found.segments();
    this.held = found.held();
    this.positionFile = opened.file();
    this.position = opened.position();
    this.deadFile = deadFile;
    this.counts = counts;
    this.inDoubtUntil = found.nextSequence() - 1;
  }

  /** Gives out nothing any more. */
  void close() {
    closed = true;
  }

  Optional<SpoolBatch> next(int maxEntries, long maxBytes) throws IOException {
    checkOpen();
    Optional<Segment> segment = segments.from(position.segment());
    while (segment.isPresent()) {
      long from = start(segment.get());
      if (from < segment.get().end()) {
        SpoolBatch batch = read(segment.get(), from, maxEntries, maxBytes);
        if (!batch.isEmpty()) {
          inDoubtUntil = Math.max(inDoubtUntil, batch.end().sequence());
          given = batch;
          return Optional.of(batch);
        }
        // This moves the position, so a batch that was given before may no longer be settled.
        given = null;
        settle(batch, Map.of());
      } else {
        // Not if it has grown meanwhile; then it is read.
        writer.retire(segment.get(), from);
      }
      segment = segments.from(position.segment());
    }
    given = null;
    return Optional.empty();
  }

  void done(SpoolBatch batch, Map<Integer, String> dead) throws IOException {
    checkOpen();
    if (batch != given) {
      throw new IllegalStateException("not the batch that was given last");
    }
    settle(batch, dead);
    given = null;
  }

  private void checkOpen() throws SpoolException {
    if (closed) {
      throw new SpoolException(SpoolException.Kind.CLOSED, "The spool is closed.");
    }
  }

  private long start(Segment segment) {
    return segment.number() == position.segment()
        ? Math.max(position.offset(), SegmentHeader.BYTES)
        : SegmentHeader.BYTES;
  }

  private void settle(SpoolBatch batch, Map<Integer, String> dead) throws IOException {
    deadFile.add(batch.dead(dead));
    positionFile.write(batch.end());
    position = batch.end();
    Segment segment = batch.segment();
    segment.settled(batch.records());
    counts.settled.add(batch.records());
    for (SpoolBatch.Item item : batch.items()) {
      held.settled(item.stored().entry(), item.sequence());
    }
    if (position.offset() >= segment.end()
        && writer.retire(segment, position.offset())
        && segment.isDamaged()) {
      held.settledAll(segment.lastSequence());
    }
  }

  private SpoolBatch read(Segment segment, long from, int maxEntries, long maxBytes)
      throws IOException {
    SpoolBatch batch =
        new SpoolBatch(segment, new Position(segment.number(), from, position.sequence()));
    long end = segment.end();
    Optional<RecordFormat> format = segment.format();
    if (format.isEmpty()) {
      batch.endsAt(new Position(segment.number(), end, position.sequence()));
      return batch;
    }
    try (DiskFile file = disk.read(segment.path())) {
      SegmentScanner scanner = new SegmentScanner(file, format.get(), from, end);
      for (SegmentScanner.@Nullable Found found = scanner.next();
          found != null;
          found = scanner.next()) {
        damaged(segment, found.skippedFrom(), found.skipped());
        if (!batch.hasRoom(found.body().length, maxEntries, maxBytes)) {
          return batch;
        }
        if (found.sequence() > batch.end().sequence()) {
          add(batch, found);
        }
        batch.endsAt(
            new Position(
                segment.number(), found.end(), Math.max(found.sequence(), batch.end().sequence())));
      }
      if (scanner.tailFrom() < end) {
        damaged(segment, scanner.tailFrom(), Math.max(1, scanner.tailRecords()));
        batch.endsAt(new Position(segment.number(), end, batch.end().sequence()));
      }
    }
    return batch;
  }

  private void add(SpoolBatch batch, SegmentScanner.Found found) {
    EntryCodec.Stored stored;
    try {
      stored = EntryCodec.decode(found.body());
    } catch (IllegalArgumentException e) {
      batch.addUnreadable(DeadEntry.unknown(found.body(), String.valueOf(e.getMessage())));
      return;
    }
    try {
      SpoolEntry entry = codec.opened(stored);
      batch.add(
          found.sequence() <= inDoubtUntil ? entry.inDoubt() : entry,
          stored,
          found.body().length,
          found.sequence());
    } catch (UnopenablePayloadException e) {
      batch.addUnreadable(DeadEntry.of(stored, String.valueOf(e.getMessage())));
    }
  }

  private void damaged(Segment segment, long from, int records) {
    if (records > 0 && segment.damagedAt(from)) {
      LOG.error("{} is damaged from byte {} on: {} records lost", segment.path(), from, records);
      counts.damaged.add(records);
    }
  }
}
