package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.process.Command;
import dev.queenmq.embedded.process.PostmasterPidFile;
import dev.queenmq.embedded.process.ProcessIdentity;
import dev.queenmq.embedded.process.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server that this process started. */
final class Postmaster {

  private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
  private static final Duration LAST_LIMIT = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 10;

  /** What we started: PostgreSQL itself, or a {@code runuser} or {@code su} that waits for it. */
  private final Process process;

  private final Path pidFile;

  /** What the pid file said before; a new server may get the very process id that it names. */
  private final Optional<PostmasterPidFile> stale;

  private final PostgresLog log;

  private Postmaster(
      Process process, Path pidFile, Optional<PostmasterPidFile> stale, PostgresLog log) {
    this.process = process;
    this.pidFile = pidFile;
    this.stale = stale;
    this.log = log;
  }

  static Postmaster launch(List<String> words, Path pidFile, PostgresLog log)
      throws IOException, InterruptedException {
    Optional<PostmasterPidFile> stale = PostmasterPidFile.read(pidFile);
    ProcessBuilder builder =
        Command.prepare(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
    return new Postmaster(startOnThreadOfItsOwn(builder), pidFile, stale, log);
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
  ProcessIdentity awaitReady(Duration limit)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    long start = System.nanoTime();
    boolean logged = false;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      Optional<ProcessIdentity> server = server(PostmasterPidFile::ready);
      if (server.isPresent()) {
        return server.get();
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      if (waited.compareTo(limit) > 0) {
        throw failed("is not ready after " + limit.toSeconds() + " s");
      }
      if (!logged && waited.compareTo(PATIENCE) > 0) {
        LOG.info("PostgreSQL is still starting; it may have to recover. Its log: {}", log.file());
        logged = true;
      }
    }
    throw failed("ended at once (exit code " + process.exitValue() + ")");
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Stops the server: fast, then at once, then by force. Quick when it has ended already. */
  void stop(Duration limit) throws InterruptedException {
    if (!process.isAlive()) {
      // Its process id may belong to another process by now.
      return;
    }
    try {
      Optional<ProcessIdentity> server = server(any -> true);
      if (server.isPresent()) {
        stop(server.get(), limit);
        process.waitFor(LAST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      LOG.warn("PostgreSQL (process {}) cannot be asked to stop", process.pid(), e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void stop(ProcessIdentity server, Duration limit)
      throws IOException, InterruptedException {
    if (Signal.INT.stops(server, limit)) {
      return;
    }
    LOG.warn("PostgreSQL (process {}) is slow to shut down: it has to stop at once", server.pid());
    if (!Signal.QUIT.stops(server, LAST_LIMIT)) {
      Signal.KILL.sendTo(server);
    }
  }

  /** The server's own process, once its pid file names one that is or descends from ours. */
  private Optional<ProcessIdentity> server(Predicate<PostmasterPidFile> condition)
      throws IOException {
    Optional<PostmasterPidFile> named = PostmasterPidFile.read(pidFile);
    if (named.isEmpty() || named.equals(stale) || !condition.test(named.get())) {
      return Optional.empty();
    }
    long pid = named.get().pid();
    boolean ours =
        pid == process.pid() || process.descendants().anyMatch(child -> child.pid() == pid);
    return ours ? ProcessIdentity.of(pid) : Optional.empty();
  }

  private EmbeddedPostgresException failed(String how) {
    return new EmbeddedPostgresException(
        Reason.START_FAILED,
        "PostgreSQL " + how + ". The end of its log, " + log.file() + ":\n" + log.tail());
  }
}
