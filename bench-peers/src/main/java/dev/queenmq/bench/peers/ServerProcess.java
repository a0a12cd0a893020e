package dev.queenmq.bench.peers;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A server in a process of its own, which ends with {@link #close} or with this JVM. Only it and
 * what it has started are ended, by their ids. For one thread.
 */
final class ServerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration GLANCE = Duration.ofMillis(100);
  private static final int TAIL_LINES = 20;
  private static final Set<String> KEPT = Set.of("PATH", "HOME", "TMPDIR", "LANG", "JAVA_HOME");

  private final String name;
  private final Process process;
  private final Path output;
  private volatile Optional<TemporaryFolder> owned = Optional.empty();
  private final Thread atExit = new Thread(this::release, "server-exit");

  private ServerProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts a command; what it prints goes to a file in the folder. */
  static ServerProcess start(
      String name, Path folder, List<String> command, Map<String, String> environment) {
    Path output = folder.resolve(name + ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().putAll(environment);
    try {
      return new ServerProcess(name, builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first of these that can be run. */
  static Optional<Path> find(String... programs) {
    for (String program : programs) {
      Path path = Path.of(program);
      if (Files.isExecutable(path)) {
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  /** Lets a folder go away with it, also when this JVM is ended. */
  ServerProcess owning(TemporaryFolder folder) {
    owned = Optional.of(folder);
    return this;
  }

  long pid() {
    return process.pid();
  }

  /** Waits until this works, and answers what it gave. */
  <T> T await(Callable<T> ready) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    String last = "";
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        return ready.call();
      } catch (Exception e) {
        last = String.valueOf(e);
        Blocking.sleep(GLANCE);
      }
    }
    throw new IllegalStateException(name + " did not start (" + last + "):\n" + tail());
  }

  /** Waits until it has ended by itself, which it must have done without an error. */
  void awaitEnd() {
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(name + " failed:\n" + tail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(output);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no output: " + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is on its way down, and the hook finds nothing left to do.
    }
  }

  private void release() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < deadline) {
      Blocking.sleep(GLANCE);
    }
    all.forEach(ProcessHandle::destroyForcibly);
    owned.ifPresent(TemporaryFolder::close);
  }
}
