package dev.queenmq.server.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The signals by which PostgreSQL is told to stop; Java itself can only send TERM and KILL. */
enum Signal {
  /** Fast shutdown: ends the sessions, writes a checkpoint. */
  INT,
  /** Immediate shutdown: recovery is left to the next start. */
  QUIT;

  /** Sends it, if the process is still there. */
  void sendTo(ProcessHandle process) throws IOException, InterruptedException {
    if (process.isAlive()) {
      Command.run(
          List.of("/bin/sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name(), "" + process.pid()),
          Duration.ofSeconds(20));
    }
  }

  /** Sends it and waits; true when the process has ended within the limit. */
  boolean stops(ProcessHandle process, Duration limit) throws IOException, InterruptedException {
    sendTo(process);
    return ended(process, limit);
  }

  static boolean ended(ProcessHandle process, Duration limit) throws InterruptedException {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return !process.isAlive();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot wait for process " + process.pid(), e);
    }
  }
}
