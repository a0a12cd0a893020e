package dev.queenmq.bench.spool;

import dev.queenmq.bench.BenchCommand;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.spool.log.Spool;
import dev.queenmq.server.spool.log.SpoolBatch;
import dev.queenmq.server.spool.log.SpoolEntry;
import dev.queenmq.server.spool.log.SpoolFigures;
import dev.queenmq.server.spool.log.SpoolOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench spool}. */
@Command(
    name = "spool",
    mixinStandardHelpOptions = true,
    description =
        "How fast the disk buffer takes messages that are synced before they are answered, beside"
            + " how often this disk syncs; how fast it is opened again and read.")
public final class SpoolBench extends BenchCommand {
  private static final double NANOS = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final long MOST_BYTES = 8L << 30;
  private static final int BATCH = 1000;

  @Option(names = "--seconds", description = "For each row (default: ${DEFAULT-VALUE}).")
  private int seconds = 3;

  @Option(names = "--threads", description = "That append (default: ${DEFAULT-VALUE}).")
  private int threads = 16;

  @Option(names = "--bytes", description = "Of a payload (default: ${DEFAULT-VALUE}).")
  private int bytes = 256;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = out();
    try (TemporaryFolder folder = TemporaryFolder.in(postgres().parent())) {
      out.printf(
          "%-36s %12s %10s %10s %12s %9s%n",
          "append", "entries/s", "MB/s", "syncs/s", "entries/sync", "sync ms");
      floor(out, folder.path().resolve("floor"));
      for (int entries : List.of(1, 10, 100)) {
        Path spool = folder.path().resolve("spool" + entries);
        append(out, spool, entries);
        read(out, spool);
      }
    }
    out.flush();
    return 0;
  }

  /** What the disk does for one thread that writes as much and syncs. */
  private void floor(PrintWriter out, Path file) throws IOException {
    long start = System.nanoTime();
    long end = start + (long) (seconds * NANOS);
    long syncs = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (; System.nanoTime() < end; syncs++) {
        channel.write(ByteBuffer.allocate(bytes), syncs * bytes);
        channel.force(false);
      }
    }
    double took = (System.nanoTime() - start) / NANOS;
    row(out, "floor: one thread, one sync for each", syncs, syncs * bytes, syncs, took, took);
  }

  private void append(PrintWriter out, Path folder, int entries)
      throws IOException, InterruptedException {
    try (Spool spool =
        Spool.open(SpoolOptions.of(folder, MOST_BYTES), Encryption.none(), System::nanoTime)) {
      LongAdder appended = new LongAdder();
      long start = System.nanoTime();
      long end = start + (long) (seconds * NANOS);
      List<Thread> appenders =
          IntStream.range(0, threads)
              .mapToObj(i -> new Thread(() -> append(spool, "p" + i, entries, end, appended)))
              .toList();
      appenders.forEach(Thread::start);
      for (Thread appender : appenders) {
        appender.join();
      }
      double took = (System.nanoTime() - start) / NANOS;
      SpoolFigures figures = spool.figures();
      row(
          out,
          threads + " threads, " + entries + " at a time",
          appended.sum(),
          figures.bytes(),
          figures.syncs(),
          took,
          figures.syncNanos() / NANOS);
    }
  }

  private void append(Spool spool, String partition, int count, long end, LongAdder appended) {
    String payload = "\"" + "x".repeat(bytes - 2) + "\"";
    while (System.nanoTime() < end) {
      List<SpoolEntry> entries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        UUID id = UUID.randomUUID();
        entries.add(
            new SpoolEntry(Message.of("bench", partition, id, id.toString(), payload), false, 0));
      }
      spool.append(Collections.unmodifiableList(entries)).toCompletableFuture().join();
      appended.add(count);
    }
  }

  private void read(PrintWriter out, Path folder) throws IOException {
    long start = System.nanoTime();
    try (Spool spool =
        Spool.open(SpoolOptions.of(folder, MOST_BYTES), Encryption.none(), System::nanoTime)) {
      double opened = (System.nanoTime() - start) / NANOS;
      long pending = spool.figures().pending();
      long begin = System.nanoTime();
      for (Optional<SpoolBatch> batch = spool.next(BATCH, MOST_BYTES);
          batch.isPresent();
          batch = spool.next(BATCH, MOST_BYTES)) {
        spool.done(batch.get(), Map.of());
      }
      double took = (System.nanoTime() - begin) / NANOS;
      out.printf(
          "  opened again in %.0f ms; read and settled by %d: %,.0f entries/s%n",
          opened * 1000, BATCH, pending / took);
    }
  }

  private static void row(
      PrintWriter out,
      String name,
      long entries,
      long bytes,
      long syncs,
      double took,
      double syncing) {
    out.printf(
        "%-36s %,12.0f %10.1f %,10.0f %12.1f %9.2f%n",
        name,
        entries / took,
        bytes / MEGABYTE / took,
        syncs / took,
        (double) entries / syncs,
        syncing * 1000 / syncs);
    out.flush();
  }
}
