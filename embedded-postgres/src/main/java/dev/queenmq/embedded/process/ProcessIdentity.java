package dev.queenmq.embedded.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One life of one process. Process ids are reused (in a container the JVM often has the same one
 * after every restart), so an identity also carries when the process began and in which boot.
 */
public record ProcessIdentity(long pid, String incarnation) {

  private static final Path PROC = Path.of("/proc");
  private static final int STATE = 0;
  private static final int START_TIME = 19;
  private static final long POLL_MILLIS = 10;

  public static ProcessIdentity current() {
    long pid = ProcessHandle.current().pid();
    return of(pid).orElseGet(() -> new ProcessIdentity(pid, "unknown"));
  }

  /**
   * The process with this id; empty if there is none. A zombie does not count: where process 1
   * never reaps, as in many containers, it stays for ever.
   */
  public static Optional<ProcessIdentity> of(long pid) {
    Optional<ProcessHandle> handle = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    if (handle.isEmpty()) {
      return Optional.empty();
    }
    try {
      String[] stat = statAfterName(pid);
      return stat[STATE].equals("Z") || stat[STATE].equals("X")
          ? Optional.empty()
          : Optional.of(new ProcessIdentity(pid, bootId() + "/" + stat[START_TIME]));
    } catch (IOException | IndexOutOfBoundsException e) {
      return handle
          .filter(ProcessHandle::isAlive)
          .flatMap(alive -> alive.info().startInstant())
          .map(start -> new ProcessIdentity(pid, start.toString()));
    }
  }

  public static Optional<ProcessIdentity> parse(String text) {
    String[] words = text.strip().split(" ", 2);
    try {
      return words.length == 2
          ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), words[1]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /** Waits; true when the process has ended within the limit. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (isAlive()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return true;
  }

  public String format() {
    return pid + " " + incarnation;
  }

  /** The second field is the program's name in parentheses and may itself hold any character. */
  private static String[] statAfterName(long pid) throws IOException {
    String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  private static String bootId() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "boot";
    }
  }
}
