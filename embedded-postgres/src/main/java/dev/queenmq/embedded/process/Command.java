package dev.queenmq.embedded.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs short programs to their end, and prepares long-running ones the same way. */
public final class Command {

  /** How a program ended and all it said. */
  public record Outcome(int exitCode, String output) {
    public boolean succeeded() {
      return exitCode == 0;
    }
  }

  private static final long OUTPUT_SECONDS = 5;

  /** To find programs, libraries and a place for temporary files. */
  private static final Set<String> NEEDED =
      Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LD_LIBRARY_PATH", "LD_PRELOAD");

  private Command() {}

  /** Runs a program and waits; one that exceeds the limit is killed with its children. */
  public static Outcome run(List<String> words, Duration limit)
      throws IOException, InterruptedException {
    Process process = prepare(words).redirectErrorStream(true).start();
    try {
      // A thread of its own: a process that inherited the output may keep it open after the program
      // has ended.
      CompletableFuture<String> output =
          CompletableFuture.supplyAsync(() -> drain(process), Command::startDaemon)
              .completeOnTimeout("", limit.toSeconds() + OUTPUT_SECONDS, TimeUnit.SECONDS);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(words.get(0) + " did not end within " + limit.toSeconds() + " s");
      }
      return new Outcome(process.exitValue(), output.join().strip());
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /**
   * A program with a plain environment: our own settings decide, not what the caller exported. Nor
   * does PostgreSQL need the broker's secrets, which its superusers could read there.
   */
  public static ProcessBuilder prepare(List<String> words) {
    // The root folder: the user that PostgreSQL becomes may not be allowed to see ours.
    ProcessBuilder builder = new ProcessBuilder(words).directory(new File("/"));
    builder.redirectInput(new File("/dev/null"));
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(NEEDED);
    environment.put("LC_ALL", "C");
    environment.put("TZ", "UTC");
    return builder;
  }

  private static void startDaemon(Runnable task) {
    Thread thread = new Thread(task, "queen-postgres-output");
    thread.setDaemon(true);
    thread.start();
  }

  private static String drain(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(its output was lost: " + e.getMessage() + ")";
    }
  }
}
