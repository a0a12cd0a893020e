package dev.queenmq.server.spool.log;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.model.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What tests put into a spool and get out of it. */
final class Entries {
  /** Of a spool in memory, which has no path. */
  static final Path NOWHERE = Path.of("spool");

  private static final int ALL = 1_000_000;
  private static final long LIMIT_SECONDS = 60;

  private Entries() {}

  static SpoolEntry entry(String partition, String text) {
    return new SpoolEntry(
        Message.of(
            "orders",
            partition,
            UUID.nameUUIDFromBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            text,
            "{\"text\":\"" + text + "\"}"),
        false,
        1_700_000_000_000L);
  }

  static SpoolEntry entry(String text) {
    return entry("p", text);
  }

  /** Small files, so that there are many. */
  static SpoolOptions options(Path folder) {
    return new SpoolOptions(folder, 1 << 20, 1_000, 1 << 20);
  }

  static Spool open(MemoryDisk disk) throws IOException {
    return Spool.open(options(NOWHERE), Encryption.none(), System::nanoTime, disk);
  }

  /** Appends and waits. */
  static void append(Spool spool, SpoolEntry... entries) {
    try {
      spool.append(List.of(entries)).toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("the append failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  static void append(Spool spool, String... texts) {
    for (String text : texts) {
      append(spool, entry(text));
    }
  }

  /** The failure of an append that must fail. */
  static SpoolException failure(Spool spool, SpoolEntry... entries) {
    try {
      spool.append(List.of(entries)).toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("the append did not fail");
    } catch (ExecutionException e) {
      return refusal(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** What an append failed with. */
  static SpoolException refusal(Exception failure) {
    if (failure.getCause() instanceof SpoolException refusal) {
      return refusal;
    }
    throw new AssertionError("another failure", failure);
  }

  /** Settles all there is, and answers the transaction ids. */
  static List<String> drain(Spool spool) throws IOException {
    return texts(drainEntries(spool));
  }

  static List<SpoolEntry> drainEntries(Spool spool) throws IOException {
    List<SpoolEntry> all = new ArrayList<>();
    for (Optional<SpoolBatch> batch = spool.next(3, ALL);
        batch.isPresent();
        batch = spool.next(3, ALL)) {
      all.addAll(batch.get().entries());
      spool.done(batch.get(), Map.of());
    }
    return all;
  }

  static SpoolBatch next(Spool spool, int maxEntries) throws IOException {
    return spool.next(maxEntries, ALL).orElseThrow();
  }

  static List<String> texts(List<SpoolEntry> entries) {
    return entries.stream().map(entry -> entry.message().transactionId()).toList();
  }
}
