package dev.queenmq.bench.broker;

import dev.queenmq.bench.AtExit;
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
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in a process of its own, and what goes away with it. Both end with {@link #close} or
 * with this JVM; only it and what it has started are ended, by their ids. For one thread.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final int TAIL_LINES = 20;
  private static final Set<String> KEPT = Set.of("PATH", "HOME", "TMPDIR", "LANG", "JAVA_HOME");

  private final String name;
  private final Process process;
  private final Path output;
  private final AtExit atExit;
  private volatile Optional<TemporaryFolder> owned = Optional.empty();

  private ChildProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    atExit = new AtExit(name + "-exit", this::release);
  }

  /** Starts a command; what it prints goes to a file in the folder. */
  public static ChildProcess start(
      String name, Path folder, List<String> command, Map<String, String> environment) {
    Path output = folder.resolve(name + ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      try {
        return new ChildProcess(name, process, output);
      } catch (IllegalStateException e) {
        // The end of this JVM has begun; then it must go at once.
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets a folder go away with it, also when this JVM is ended. */
  public ChildProcess owning(TemporaryFolder folder) {
    owned = Optional.of(folder);
    return this;
  }

  /** The first of these programs that can be run. */
  public static Optional<Path> find(String... programs) {
    return Stream.of(programs).map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /** The java of this JVM with these arguments. */
  public static List<String> java(List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(arguments);
    return command;
  }

  /** Waits until this works, and answers what it gave. */
  public <T> T await(Callable<T> ready) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    String last = "";
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        return ready.call();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (Exception e) {
        last = String.valueOf(e);
        Blocking.sleep(POLL_INTERVAL);
      }
    }
    throw new IllegalStateException(name + " did not start (" + last + "):\n" + tail());
  }

  /** Waits until it has ended by itself, which it must have done without an error. */
  public void awaitEnd() {
    if (Blocking.call(process::waitFor) != 0) {
      throw new IllegalStateException(name + " failed:\n" + tail());
    }
  }

  /** Other processes may be below it. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it as kill -9 does, and waits until it is gone. */
  public void kill() {
    Blocking.call(() -> process.destroyForcibly().waitFor());
  }

  /** Asks it to stop (SIGTERM) and waits until it is gone; its exit code, or empty if it stayed. */
  public OptionalInt stop() {
    process.destroy();
    return Blocking.call(() -> process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS))
        ? OptionalInt.of(process.exitValue())
        : OptionalInt.empty();
  }

  /** The last lines that it printed. */
  public String tail() {
    try {
      List<String> lines = Files.readAllLines(output);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no output: " + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    atExit.close();
  }

  private void release() {
    List<ProcessHandle> below = process.descendants().toList();
    try {
      if (stop().isEmpty()) {
        process.destroyForcibly();
      }
    } finally {
      below.forEach(ProcessHandle::destroy);
      Blocking.await(
          STOP_LIMIT, POLL_INTERVAL, () -> below.stream().noneMatch(ProcessHandle::isAlive));
      below.forEach(ProcessHandle::destroyForcibly);
      owned.ifPresent(TemporaryFolder::close);
    }
  }
}
