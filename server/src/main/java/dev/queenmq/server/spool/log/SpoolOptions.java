package dev.queenmq.server.spool.log;

import java.nio.file.Path;

/**
 * How a spool is kept. All of it may change between two lives of one folder.
 *
 * @param folder made when it is missing; belongs to the spool alone
 * @param maxBytes that messages may take on the disk
 * @param segmentBytes at which a file is ended and the next one begun
 * @param maxDeadBytes that the file of dead entries may take
 */
public record SpoolOptions(Path folder, long maxBytes, long segmentBytes, long maxDeadBytes) {
  private static final long SEGMENT_BYTES = 16L << 20;
  private static final long DEAD_BYTES = 256L << 20;
  private static final int LEAST_SEGMENTS = 8;
  private static final long LEAST_BYTES = 64L << 10;

  /** Checks them. */
  public SpoolOptions {
    if (maxBytes < 1 || segmentBytes < 1 || maxDeadBytes < 1) {
      throw new IllegalArgumentException("a spool needs room");
    }
  }

  /** With files of 16 MiB, or smaller ones where there is little room. */
  public static SpoolOptions of(Path folder, long maxBytes) {
    long segmentBytes = Math.min(SEGMENT_BYTES, Math.max(LEAST_BYTES, maxBytes / LEAST_SEGMENTS));
    return new SpoolOptions(folder, maxBytes, segmentBytes, DEAD_BYTES);
  }
}
