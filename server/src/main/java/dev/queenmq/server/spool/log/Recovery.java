package dev.queenmq.server.spool.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what an earlier run has left in the spool's folder. Files are never written to again: an
 * unfinished end is cut off by saying where the file ends, here and in the header of the next one.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Disk disk;
  private final Path folder;
  private final Position settled;
  private final Counts counts;
  private final Segments segments = new Segments();
  private final HeldPartitions held = new HeldPartitions();
  private long sequence;
  private long number;

  private Recovery(Disk disk, Path folder, Position settled, Counts counts) {
    this.disk = disk;
    this.folder = folder;
    this.settled = settled;
    this.counts = counts;
    this.sequence = settled.sequence();
    this.number = settled.segment();
  }

  /** What stands in a folder behind what is settled. */
  static Found run(Disk disk, Path folder, Position settled, Counts counts) throws IOException {
    return new Recovery(disk, folder, settled, counts).found();
  }

  private Found found() throws IOException {
    List<Draft> drafts = drafts();
    for (int i = 0; i < drafts.size(); i++) {
      Draft draft = drafts.get(i);
      boolean isLast = i == drafts.size() - 1;
      Optional<Long> known = isLast ? Optional.empty() : drafts.get(i + 1).endOf(draft.number);
      scan(draft, known, isLast);
    }
    removeSettled();
    if (segments.pending() > 0) {
      LOG.info("The spool in {} has {} messages to store", folder, segments.pending());
    }
    return new Found(segments, held, number + 1, sequence + 1);
  }

  private List<Draft> drafts() throws IOException {
    Map<Long, Path> files = new TreeMap<>();
    for (String name : disk.names(folder)) {
      Segment.numberOf(name).ifPresent(found -> files.put(found, folder.resolve(name)));
    }
    List<Draft> drafts = new ArrayList<>();
    for (Map.Entry<Long, Path> file : files.entrySet()) {
      if (file.getKey() < settled.segment()) {
        disk.delete(file.getValue());
      } else {
        drafts.add(draft(file.getKey(), file.getValue()));
      }
    }
    while (!drafts.isEmpty() && drafts.get(drafts.size() - 1).wasBeingBegun()) {
      Draft begun = drafts.remove(drafts.size() - 1);
      number = Math.max(number, begun.number);
      disk.delete(begun.path);
    }
    return drafts;
  }

  private Draft draft(long fileNumber, Path path) throws IOException {
    try (DiskFile file = disk.read(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
      int count = file.read(bytes, 0);
      return new Draft(
          fileNumber, path, file.size(), SegmentHeader.decode(Arrays.copyOf(bytes.array(), count)));
    }
  }

  /**
   * Goes through a file.
   *
   * @param known where it ends, as the next one says
   */
  private void scan(Draft draft, Optional<Long> known, boolean isLast) throws IOException {
    long end = Math.min(draft.size, known.orElse(draft.size));
    Optional<RecordFormat> format = draft.header.map(h -> new RecordFormat(h.salt()));
    Segment segment = new Segment(draft.number, draft.path, format, end);
    number = Math.max(number, draft.number);
    if (format.isPresent()) {
      scan(segment, format.get(), isLast);
    } else {
      damaged(segment, 0, 1);
    }
    segments.add(segment);
  }

  private void scan(Segment segment, RecordFormat format, boolean isLast) throws IOException {
    long from = SegmentHeader.BYTES;
    if (segment.number() == settled.segment()) {
      from = Math.max(from, settled.offset());
    }
    try (DiskFile file = disk.read(segment.path())) {
      SegmentScanner scanner = new SegmentScanner(file, format, from, segment.end());
      for (SegmentScanner.@Nullable Found found = scanner.next();
          found != null;
          found = scanner.next()) {
        damaged(segment, found.skippedFrom(), found.skipped());
        // Written again after a failed sync: the first one is known already.
        if (found.sequence() > sequence) {
          sequence = found.sequence();
          remember(segment, found);
        }
      }
      if (isLast) {
        if (scanner.tailRecords() > 0) {
          LOG.info("{} ends with a record that was not finished", segment.path());
        }
        segment.cutAt(scanner.tailFrom());
      } else {
        damaged(segment, scanner.tailFrom(), scanner.tailRecords());
      }
    }
  }

  private void remember(Segment segment, SegmentScanner.Found found) {
    segment.found(found.sequence());
    try {
      held.found(EntryCodec.decode(found.body()).entry(), found.sequence());
    } catch (IllegalArgumentException e) {
      LOG.warn("{} has {}; it will go to the dead file", segment.path(), e.getMessage());
    }
  }

  private void damaged(Segment segment, long from, int records) {
    if (records > 0 && segment.damagedAt(from)) {
      LOG.error("{} is damaged from byte {} on: {} records lost", segment.path(), from, records);
      counts.damaged.add(records);
    }
  }

  /** Files that end before the first entry that is pending. */
  private void removeSettled() throws IOException {
    Optional<Segment> first = segments.from(0);
    while (first.isPresent() && first.get().pending() == 0) {
      segments.remove(first.get());
      first.get().remove(disk);
      first = segments.from(0);
    }
  }

  /** A file, and what its header says. */
  private record Draft(long number, Path path, long size, Optional<SegmentHeader> header) {
    /** Whether it has nothing yet, not even a header. */
    boolean wasBeingBegun() {
      return header.isEmpty() && size <= SegmentHeader.BYTES;
    }

    /** Where it says that the one before it ends. */
    Optional<Long> endOf(long previous) {
      return header
          .filter(known -> known.previous() == previous && known.previousEnd() >= 0)
          .map(known -> known.previousEnd());
    }
  }

  /**
   * What was found.
   *
   * @param nextNumber for the next file
   * @param nextSequence for the next record
   */
  record Found(Segments segments, HeldPartitions held, long nextNumber, long nextSequence) {}
}
