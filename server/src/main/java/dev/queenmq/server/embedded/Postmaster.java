package dev.queenmq.server.embedded;

import dev.queenmq.server.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running PostgreSQL server that this process started. */
final class Postmaster {

  private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
  private static final Duration LAST_LIMIT = Duration.ofSeconds(15);
  private static final long POLL_MILLIS = 10;

  /** What we started: PostgreSQL itself, or a {@code runuser} or {@code su} that waits for it. */
  private final Process process;

  private final Path pidFile;
  private final PostgresLog log;

  private Postmaster(Process process, Path pidFile, PostgresLog log) {
    this.process = process;
    this.pidFile = pidFile;
    this.log = log;
  }

  static Postmaster launch(List<String> words, Path pidFile, PostgresLog log)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        Command.prepare(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
    return new Postmaster(startOnThreadOfItsOwn(builder), pidFile, log);
  }

  /** The death signal comes when the starting thread ends, so that thread waits for the server. */
  private static Process startOnThreadOfItsOwn(ProcessBuilder builder)
      throws IOException, InterruptedException {
    CompletableFuture<Process> started = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Process process = builder.start();
                started.complete(process);
                process.waitFor();
              } catch (IOException | InterruptedException e) {
                started.completeExceptionally(e);
              }
            },
            "queen-postgres");
    thread.setDaemon(true);
    thread.start();
    try {
      return started.get();
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  /** Waits until the server takes connections, as it says itself in its pid file. */
  ProcessHandle awaitReady(Duration limit)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      Optional<ProcessHandle> server = server();
      if (server.isPresent()
          && PostmasterPidFile.read(pidFile).stream().anyMatch(PostmasterPidFile::ready)) {
        return server.get();
      }
      if (System.nanoTime() > deadline) {
        throw failed("is not ready after " + limit.toSeconds() + " s");
      }
    }
    throw failed("ended at once (exit code " + process.exitValue() + ")");
  }

  /** The server's own process, once its pid file names one that descends from us. */
  private Optional<ProcessHandle> server() throws IOException {
    Optional<PostmasterPidFile> named = PostmasterPidFile.read(pidFile);
    if (named.isEmpty()) {
      return Optional.empty();
    }
    long pid = named.get().pid();
    return pid == process.pid()
        ? Optional.of(process.toHandle())
        : process.descendants().filter(child -> child.pid() == pid).findAny();
  }

  private EmbeddedPostgresException failed(String how) {
    return new EmbeddedPostgresException(
        Reason.START_FAILED,
        "PostgreSQL " + how + ". The end of its log, " + log.file() + ":\n" + log.tail());
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Stops the server: fast, then at once, then by force. Quick when it has ended already. */
  void stop(Duration limit) throws InterruptedException {
    if (!process.isAlive()) {
      return;
    }
    try {
      ProcessHandle server = server().orElseGet(process::toHandle);
      if (Signal.INT.stops(server, limit)) {
        LOG.debug("PostgreSQL (process {}) has shut down", server.pid());
      } else {
        LOG.warn(
            "PostgreSQL (process {}) is slow to shut down: it has to stop at once", server.pid());
        if (!Signal.QUIT.stops(server, LAST_LIMIT)) {
          server.destroyForcibly();
        }
      }
      process.waitFor(LAST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      LOG.warn("PostgreSQL (process {}) cannot be asked to stop", process.pid(), e);
    } finally {
      process.destroyForcibly();
    }
  }
}
