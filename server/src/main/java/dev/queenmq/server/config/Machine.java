package dev.queenmq.server.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** What some defaults depend on. */
record Machine(int cores, long heapBytes, long openFiles) {

  /** More than may wait by default, so that others find room beside those who wait. */
  static final int MOST_CONNECTIONS = 110_000;

  private static final int MOST_WORKERS = 8;
  private static final int FEWEST_SLOTS = 3;
  private static final int MOST_SLOTS = 32;
  private static final Path KERNEL_HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final long MOST_PENDING_BYTES = 256L << 20;

  public static Machine current() {
    Runtime runtime = Runtime.getRuntime();
    return new Machine(runtime.availableProcessors(), runtime.maxMemory(), mostFiles());
  }

  private static long mostFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** Leaves files for PostgreSQL and the rest. */
  public int connections() {
    return (int) Math.max(1, Math.min(MOST_CONNECTIONS, openFiles / 4 * 3));
  }

  /** Its name, or {@code queen} if it has none. */
  public static String hostName() {
    try {
      // Asking the kernel first: the other way asks the name service too, which may take long.
      return Files.isReadable(KERNEL_HOST_NAME)
          ? Files.readString(KERNEL_HOST_NAME).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "queen";
    }
  }

  public int workers() {
    return Math.max(1, Math.min(cores, MOST_WORKERS));
  }

  /** The same where PostgreSQL runs on this machine, too: it takes about as much of it. */
  public int workersBesidePostgres() {
    return Math.max(1, Math.min(cores / 2, MOST_WORKERS));
  }

  public static int slots(int workers) {
    return Math.min(MOST_SLOTS, Math.max(FEWEST_SLOTS, 3 * workers));
  }

  /** The other half is for what the broker remembers, and for garbage. */
  public long requestBytes() {
    return heapBytes / 2;
  }

  public long pendingBytes() {
    return Math.min(MOST_PENDING_BYTES, heapBytes / 4);
  }
}
