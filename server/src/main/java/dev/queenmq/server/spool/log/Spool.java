package dev.queenmq.server.spool.log;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log on the local disk that keeps messages, in the order in which they came, until they are in
 * PostgreSQL.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>An append that succeeded survives a crash of the process and a loss of power: it is
 *       answered after a sync that covers it.
 *   <li>Entries are given out in the order of their appends, and again until they are settled.
 *   <li>An entry that PostgreSQL may have already always says so ({@code perhapsStored}): one that
 *       was given out before, or was found when the folder was opened. So a crash between storing
 *       and settling does not store a message twice.
 *   <li>Damage costs the damaged record, not those behind it, and is counted and logged.
 *   <li>Nothing is dropped silently: what cannot be stored goes to the dead file, and if that is
 *       full the log waits.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>Files.</b> The log is a sequence of segment files, written at the end and deleted from the
 * front. A record has a sequence number and two checksums, one of the header and one of the body,
 * so that a damaged body can be skipped by its length. A position file says up to where all is
 * settled. Files of an earlier run are read but never written.
 *
 * <p><b>Writing.</b> {@link #append} puts entries into an {@link AppendQueue} and never blocks on
 * the disk. One thread ({@link LogWriter}) takes all that has gathered, writes it, syncs once and
 * answers all of it. So producers share a sync, and none waits for another.
 *
 * <p><b>A failed sync.</b> Linux reports a failed write-back once and then calls the pages clean,
 * so a file is not trusted after it. It ends at what was synced before; the group is written again
 * to a new file, with the same sequence numbers. If both copies are found later, the first counts.
 *
 * <p><b>Order with PostgreSQL.</b> {@link #holds} answers whether a partition has entries here.
 * While it has, further messages of it have to go through the log too, or they would overtake. It
 * is true from the call of {@link #append} on, before anything is written.
 *
 * <p><b>Reading.</b> One caller at a time drains the log with {@link #next} and {@link #done}. The
 * position is synced by {@code done}, after the batch is stored.
 *
 * <h2>Alternatives</h2>
 *
 * <p>Embedded databases bring native code, decide themselves when to sync, and their recovery could
 * not be tested step by step. Here every file operation goes through {@link Disk}, and a test fails
 * each of them. Decision 024.
 *
 * <p>Safe for any thread, except that one at a time may drain it.
 */
public final class Spool implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

  private final Closeable claim;
  private final EntryCodec codec;
  private final Segments segments;
  private final HeldPartitions held;
  private final AppendQueue queue;
  private final LogWriter writer;
  private final LogReader drain;
  private final DeadFile deadFile;
  private final Counts counts;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Spool(
      Disk disk,
      SpoolOptions options,
      Encryption encryption,
      Closeable claim,
      Counts counts,
      LongSupplier nanoTime)
      throws IOException {
    Path folder = options.folder();
    this.claim = claim;
    this.counts = counts;
    PositionFile.Opened position = PositionFile.open(disk, folder);
    Recovery.Found found = Recovery.run(disk, folder, position.position(), counts);
    codec = new EntryCodec(encryption.cipher());
    segments = found.segments();
    held = found.held();
    deadFile = DeadFile.open(disk, folder, options.maxDeadBytes());
    queue = new AppendQueue(options.maxBytes(), segments, held);
    writer = new LogWriter(disk, options, found, queue, counts, nanoTime);
    drain = new LogReader(disk, codec, writer, found, position, deadFile, counts);
  }

  /**
   * Opens a folder, which stays locked until {@link #close}, and finds what is left in it: an
   * unfinished end is cut off, a damaged record is passed over and counted.
   *
   * @throws SpoolException if the folder cannot be used; its text says what to do
   */
  public static Spool open(SpoolOptions options, Encryption encryption, LongSupplier nanoTime)
      throws SpoolException {
    return open(options, encryption, nanoTime, new LocalDisk());
  }

  static Spool open(SpoolOptions options, Encryption encryption, LongSupplier nanoTime, Disk disk)
      throws SpoolException {
    try {
      disk.makeFolder(options.folder());
      Closeable claim = disk.claim(options.folder());
      boolean opened = false;
      try {
        Spool spool = new Spool(disk, options, encryption, claim, new Counts(), nanoTime);
        spool.writer.start();
        opened = true;
        return spool;
      } finally {
        if (!opened) {
          claim.close();
        }
      }
    } catch (SpoolException e) {
      throw e;
    } catch (IOException e) {
      throw new SpoolException(
          Kind.FOLDER,
          """
          The spool folder %s cannot be used: %s. Make room or give permission there, or set \
          QUEEN_SPOOL_DIR to another folder, or SPOOL_MAX_BYTES=0 to do without a spool.\
          """
              .formatted(options.folder(), FileErrorText.described(e)),
          e);
    }
  }

  /**
   * Writes entries behind all others. Done when a sync of the disk has covered all of them; fails
   * with {@link SpoolException}, and then none of them is given out by {@link #next}, though after
   * a crash of this process some may be. Never blocks on the disk. What depends on the stage runs
   * on the spool's own thread, and delays all other appends unless it moves to another thread at
   * once.
   */
  public CompletionStage<Void> append(List<SpoolEntry> entries) {
    if (entries.isEmpty()) {
      return CompletableFuture.completedStage(null);
    }
    Append append = Append.of(entries, codec);
    Optional<SpoolException> refusal = queue.offer(append);
    if (refusal.isPresent()) {
      if (refusal.get().kind() == Kind.FULL) {
        counts.full.increment();
      }
      return CompletableFuture.failedStage(refusal.get());
    }
    return append.result().minimalCompletionStage();
  }

  /**
   * Whether an entry of this partition is not settled: from the moment {@link #append} is called
   * until {@link #done} returns, or the append has failed. Costs one look-up.
   */
  public boolean holds(String queueName, String partition) {
    return held.holds(queueName, partition);
  }

  /**
   * The oldest entries that are not settled; the same ones again until they are. Blocks on the
   * disk. An entry whose payload cannot be opened is passed over, and goes to the dead file with
   * the batch it stands in. If this fails, the batch that was given last can still be settled.
   *
   * @param maxEntries how many at most, at least one
   * @param maxBytes at which a batch ends; a single entry may have more
   */
  public Optional<SpoolBatch> next(int maxEntries, long maxBytes) throws IOException {
    synchronized (drain) {
      return drain.next(maxEntries, maxBytes);
    }
  }

  /**
   * Settles the batch that {@link #next} gave last. When it returns, that is on the disk, and the
   * space of files that are finished is free. Blocks on the disk. After an exception the batch is
   * not settled, and comes again.
   *
   * @param dead entries that cannot be stored, by their place in the batch, and why: they are kept
   *     in the dead file
   * @throws SpoolException of kind FULL if the dead file has no room for them
   */
  public void done(SpoolBatch batch, Map<Integer, String> dead) throws IOException {
    synchronized (drain) {
      drain.done(batch, dead);
    }
  }

  /** The figures. */
  public SpoolFigures figures() {
    return new SpoolFigures(
        segments.pending(),
        segments.bytes(),
        queue.bytes(),
        counts.appended.sum(),
        counts.settled.sum(),
        deadFile.entries(),
        deadFile.bytes(),
        counts.damaged.sum(),
        counts.full.sum(),
        counts.failed.sum(),
        counts.syncs.sum(),
        counts.syncNanos.sum());
  }

  /** Writes what was appended, and gives the folder back. Later appends fail. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    queue.close();
    writer.awaitEnd();
    synchronized (drain) {
      drain.close();
    }
    try {
      claim.close();
    } catch (IOException e) {
      LOG.warn("The spool's folder cannot be given back", e);
    }
  }
}
