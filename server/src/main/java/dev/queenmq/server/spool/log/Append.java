package dev.queenmq.server.spool.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Entries that one caller wants written together.
 *
 * @param bodies of their records
 * @param bytes that these take in a file
 * @param result for the caller
 */
record Append(
    List<SpoolEntry> entries, List<byte[]> bodies, long bytes, CompletableFuture<Void> result) {

  static Append of(List<SpoolEntry> entries, EntryCodec codec) {
    List<byte[]> bodies = entries.stream().map(codec::encode).toList();
    return new Append(
        List.copyOf(entries), bodies, SegmentWriter.bytes(bodies), new CompletableFuture<>());
  }
}
