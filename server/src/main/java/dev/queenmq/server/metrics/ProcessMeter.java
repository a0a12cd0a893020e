package dev.queenmq.server.metrics;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what this process takes: from the JVM, and from {@code /proc} where there is one. Safe for
 * use by several threads.
 */
public final class ProcessMeter {

  /** The kernel reports times in 1/100 s, whatever its own clock does. */
  private static final long MICROS_PER_TICK = 10_000;

  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final Pattern MEMORY = Pattern.compile("(VmRSS|VmSize):\\s+(\\d+) kB");

  private final Path folder;

  /** A meter of this process. */
  public ProcessMeter() {
    this(Path.of("/proc/self"));
  }

  ProcessMeter(Path folder) {
    this.folder = folder;
  }

  /** As of now. The files are the kernel's: reading them waits for no disk. */
  public ProcessReadings read() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    List<Long> cpu = cpuMicros(text("stat"));
    String status = text("status");
    return new ProcessReadings(
        Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()),
        cpu.get(0),
        cpu.get(1),
        memory(status, "VmRSS"),
        memory(status, "VmSize"),
        heap.getUsed(),
        heap.getCommitted(),
        Math.max(heap.getMax(), 0),
        ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed(),
        directBytes(),
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** In our code and in the kernel. The name, second in the line, may hold blanks and brackets. */
  private static List<Long> cpuMicros(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields.length <= SYSTEM_TICKS) {
      return List.of(0L, 0L);
    }
    return List.of(
        Long.parseLong(fields[USER_TICKS]) * MICROS_PER_TICK,
        Long.parseLong(fields[SYSTEM_TICKS]) * MICROS_PER_TICK);
  }

  private static long memory(String status, String name) {
    Matcher line = MEMORY.matcher(status);
    while (line.find()) {
      if (line.group(1).equals(name)) {
        return Long.parseLong(line.group(2)) * 1024;
      }
    }
    return 0;
  }

  private String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return ""; // another system
    }
  }
}
