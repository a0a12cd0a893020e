package dev.queenmq.server.spool.log;

import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes the log. What gathers in the queue during a sync is written with the
 * next one, so no append waits for others.
 *
 * <p>A write that fails is cut off, and the file goes on. A sync that fails ends the file at what
 * was synced before, because the system may have dropped pages and does not report it a second
 * time: the group is written once more, to a new file, with the same sequence numbers, by which a
 * reader that finds both takes the first only. Numbers of a group that failed are not used again.
 */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private final Disk disk;
  private final SpoolOptions options;
  private final Segments segments;
  private final HeldPartitions held;
  private final AppendQueue queue;
  private final Counts counts;
  private final LongSupplier nanoTime;
  private final SecureRandom salts = new SecureRandom();
  private final Thread thread = new Thread(this::run, "queen-spool");

  // Of this thread: whether the last group failed, so that it is logged once.
  private boolean failing;

  // All below is guarded by the lock: this thread writes, the drainer retires files.
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable SegmentWriter active;
  private long nextNumber;
  private long nextSequence;

  LogWriter(
      Disk disk,
      SpoolOptions options,
      Recovery.Found found,
      AppendQueue queue,
      Counts counts,
      LongSupplier nanoTime) {
    this.disk = disk;
    this.options = options;
    this.segments = found.segments();
    this.held = found.held();
    this.queue = queue;
    this.counts = counts;
    this.nanoTime = nanoTime;
    this.nextNumber = found.nextNumber();
    this.nextSequence = found.nextSequence();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Waits until the queue, which must be closed, is written. */
  void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    lock.lock();
    try {
      if (active != null) {
        active.close();
        active = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes a segment if it is settled to its end; whether it is gone. */
  boolean retire(Segment segment, long settledTo) {
    lock.lock();
    try {
      if (segment.end() > settledTo) {
        return false;
      }
      if (active != null && active.segment() == segment) {
        active.close();
        active = null;
      }
      segments.remove(segment);
    } finally {
      lock.unlock();
    }
    remove(segment);
    return true;
  }

  private void run() {
    try {
      for (List<Append> group = queue.take(); !group.isEmpty(); group = queue.take()) {
        commit(group);
      }
    } catch (InterruptedException e) {
      // Cannot happen: no other class has the thread.
      throw new IllegalStateException("the spool's thread was interrupted", e);
    }
  }

  private void commit(List<Append> group) {
    @Nullable Throwable failure = null;
    lock.lock();
    try {
      write(group);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      group.forEach(append -> held.failed(append.entries()));
    }
    queue.finished(group);
    if (failure == null) {
      if (failing) {
        LOG.info("The spool in {} can be written again", folder());
        failing = false;
      }
      group.forEach(append -> counts.appended.add(append.entries().size()));
      group.forEach(append -> append.result().complete(null));
    } else {
      fail(group, failure);
    }
  }

  private void fail(List<Append> group, Throwable failure) {
    if (!failing) {
      LOG.error("The spool in {} cannot be written; messages are refused", folder(), failure);
      failing = true;
    }
    counts.failed.add(group.size());
    SpoolException refusal =
        new SpoolException(
            Kind.DISK,
            "The spool in %s cannot be written: %s. Make room there, or look at the disk."
                .formatted(folder(), failure.getMessage()),
            failure);
    group.forEach(append -> append.result().completeExceptionally(refusal));
  }

  private void write(List<Append> group) throws IOException {
    List<byte[]> bodies = group.stream().flatMap(append -> append.bodies().stream()).toList();
    long first = nextSequence;
    nextSequence += bodies.size();
    SegmentWriter out = withRoom(SegmentWriter.bytes(bodies));
    try {
      out.write(bodies, first);
    } catch (IOException | RuntimeException | Error e) {
      if (!out.takeBack()) {
        abandon(out);
      }
      throw e;
    }
    try {
      sync(out);
    } catch (IOException e) {
      LOG.warn("{} cannot be synced, and a new file is begun: {}", out.segment().path(), text(e));
      out.takeBack();
      abandon(out);
      out = again(bodies, first);
    }
    acknowledge(out, group, first, bodies.size());
  }

  private SegmentWriter again(List<byte[]> bodies, long first) throws IOException {
    SegmentWriter out = begin();
    try {
      out.write(bodies, first);
      sync(out);
      return out;
    } catch (IOException | RuntimeException | Error e) {
      abandon(out);
      throw e;
    }
  }

  private void acknowledge(SegmentWriter out, List<Append> group, long first, int records) {
    // First what holds the partitions: as soon as the segment has grown, entries may be settled.
    long sequence = first;
    for (Append append : group) {
      held.arrived(append.entries(), sequence);
      sequence += append.entries().size();
    }
    long before = out.segment().end();
    out.acknowledge(records, sequence - 1);
    segments.grew(out.segment().end() - before);
  }

  private void sync(SegmentWriter out) throws IOException {
    long start = nanoTime.getAsLong();
    out.sync();
    counts.syncNanos.add(nanoTime.getAsLong() - start);
    counts.syncs.increment();
  }

  private SegmentWriter withRoom(long bytes) throws IOException {
    @Nullable SegmentWriter current = active;
    if (current != null) {
      if (current.hasRoom(bytes, options.segmentBytes())) {
        return current;
      }
      current.close();
      active = null;
    }
    return begin();
  }

  private SegmentWriter begin() throws IOException {
    Optional<Segment> previous = segments.last();
    SegmentHeader header =
        new SegmentHeader(
            nextNumber++,
            salts.nextLong(),
            previous.map(Segment::number).orElse(0L),
            previous.map(Segment::end).orElse(0L));
    SegmentWriter begun = SegmentWriter.create(disk, folder(), header);
    segments.add(begun.segment());
    active = begun;
    return begun;
  }

  /** Writes to this one no more. */
  private void abandon(SegmentWriter writer) {
    writer.close();
    active = null;
    Segment segment = writer.segment();
    if (segment.end() == SegmentHeader.BYTES) {
      segments.remove(segment);
      remove(segment);
    }
  }

  private Path folder() {
    return options.folder();
  }

  private static String text(IOException e) {
    return FileErrorText.described(e);
  }

  /** What cannot be removed is settled all the same, and removed when the spool is next opened. */
  private void remove(Segment segment) {
    try {
      segment.remove(disk);
      disk.syncFolder(folder());
    } catch (IOException e) {
      LOG.warn("{} is finished, but cannot be removed: {}", segment.path(), text(e));
    }
  }
}
