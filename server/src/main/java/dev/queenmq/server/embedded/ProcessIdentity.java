package dev.queenmq.server.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One life of one process. Process ids are reused (in a container the JVM often has the same one
 * after every restart), so an identity also carries when the process began and in which boot.
 */
record ProcessIdentity(long pid, String incarnation) {

  private static final Path PROC = Path.of("/proc");
  private static final int START_TIME = 19;

  static ProcessIdentity current() {
    long pid = ProcessHandle.current().pid();
    return of(pid).orElseGet(() -> new ProcessIdentity(pid, "unknown"));
  }

  /** Who has this process id now; empty when nobody has. */
  static Optional<ProcessIdentity> of(long pid) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(handle -> new ProcessIdentity(pid, incarnationOf(handle)));
  }

  static Optional<ProcessIdentity> parse(String text) {
    String[] words = text.strip().split(" ", 2);
    try {
      return words.length == 2
          ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), words[1]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  String format() {
    return pid + " " + incarnation;
  }

  private static String incarnationOf(ProcessHandle handle) {
    try {
      String stat = Files.readString(PROC.resolve(handle.pid() + "/stat"));
      // The second field is the program's name in parentheses and may itself hold any character.
      String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return bootId() + "/" + afterName[START_TIME];
    } catch (IOException | IndexOutOfBoundsException e) {
      return handle.info().startInstant().map(Object::toString).orElse("unknown");
    }
  }

  private static String bootId() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "boot";
    }
  }
}
