package dev.queenmq.server.spool;

import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.spool.log.Spool;
import dev.queenmq.server.spool.log.SpoolException;
import dev.queenmq.server.spool.log.SpoolFigures;
import java.nio.file.Path;

/**
 * The spool that pushes go to, and a second one for what comes out of it and cannot be stored yet
 * while others wait behind it. A partition of which anything is aside gets all that follows through
 * there. Safe for any thread.
 */
public final class Spools implements AutoCloseable {
  private static final String ASIDE = "aside";

  /** The share of the room for what is put aside. */
  private static final int SHARE = 4;

  /** Opens a spool. */
  @FunctionalInterface
  public interface Opener {
    /** That of a folder, which may take so much room. */
    Spool open(Path folder, long maxBytes) throws SpoolException;
  }

  private final Spool first;
  private final Spool aside;
  private final long firstBytes;

  private Spools(Spool first, Spool aside, long firstBytes) {
    this.first = first;
    this.aside = aside;
    this.firstBytes = firstBytes;
  }

  /**
   * Those of a folder.
   *
   * @param maxBytes that both may take together
   * @throws SpoolException with a text for people if it cannot be used
   */
  public static Spools open(Path folder, long maxBytes, Opener opener) throws SpoolException {
    long share = Math.max(1, maxBytes / SHARE);
    long rest = Math.max(1, maxBytes - share);
    Spool first = opener.open(folder, rest);
    boolean opened = false;
    try {
      Spool aside = opener.open(folder.resolve(ASIDE), share);
      opened = true;
      return new Spools(first, aside, rest);
    } finally {
      if (!opened) {
        first.close();
      }
    }
  }

  /** Takes pushes. */
  Spool first() {
    return first;
  }

  /** Takes what waits by itself. */
  Spool aside() {
    return aside;
  }

  /** Whether anything of a partition is kept. In this order: entries go from the first aside. */
  boolean holds(PartitionName partition) {
    return first.holds(partition.queue(), partition.partition())
        || aside.holds(partition.queue(), partition.partition());
  }

  /** Whether nothing is kept; looks in the same order. */
  boolean isEmpty() {
    return first.figures().pending() == 0 && aside.figures().pending() == 0;
  }

  /** Whether there is room for pushes. */
  public boolean hasRoom() {
    SpoolFigures figures = first.figures();
    return figures.bytes() + figures.queuedBytes() < firstBytes;
  }

  /** The figures of both. What was appended to the first, or refused by it, counts once. */
  public SpoolFigures figures() {
    SpoolFigures one = first.figures();
    SpoolFigures other = aside.figures();
    return new SpoolFigures(
        one.pending() + other.pending(),
        one.bytes() + other.bytes(),
        one.queuedBytes() + other.queuedBytes(),
        one.appended(),
        one.settled(),
        one.dead() + other.dead(),
        one.deadBytes() + other.deadBytes(),
        one.damaged() + other.damaged(),
        one.full(),
        one.failed() + other.failed(),
        one.syncs() + other.syncs(),
        one.syncNanos() + other.syncNanos());
  }

  /** Writes what is on its way to the disk, and gives the folder back. */
  @Override
  public void close() {
    first.close();
    aside.close();
  }
}
