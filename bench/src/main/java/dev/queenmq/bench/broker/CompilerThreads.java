package dev.queenmq.bench.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The threads of a JVM that compile. As long as they work, all others get less of the cores. */
public final class CompilerThreads {
  private static final Path PROC = Path.of("/proc");
  private static final String NAME = "CompilerThre"; // of "C2 CompilerThread0": the kernel cuts it

  private final Path tasks;

  /** Of this process. */
  public CompilerThreads(long pid) {
    tasks = PROC.resolve(pid + "/task");
  }

  /** CPU time that they have used; of threads that the JVM has ended meanwhile it is not known. */
  public double cpuSeconds() {
    try (Stream<Path> threads = Files.list(tasks)) {
      return threads
          .map(thread -> thread.resolve("stat"))
          .filter(CompilerThreads::compiles)
          .mapToDouble(ProcessTree::cpuSeconds)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private static boolean compiles(Path stat) {
    try {
      return Files.readString(stat).contains(NAME);
    } catch (IOException e) {
      return false; // it has ended
    }
  }
}
