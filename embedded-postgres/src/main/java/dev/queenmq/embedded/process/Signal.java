package dev.queenmq.embedded.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The signals that stop PostgreSQL; Java itself can only send TERM and KILL. */
public enum Signal {
  /** Fast shutdown: ends the sessions, writes a checkpoint. */
  INT,
  /** Immediate shutdown: recovery is left to the next start. */
  QUIT,
  /** The kernel's own, when a process does not react to anything else. */
  KILL;

  /** Sends it, if this very process is still there. */
  public void sendTo(ProcessIdentity process) throws IOException, InterruptedException {
    if (process.isAlive()) {
      Command.run(
          List.of("/bin/sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name(), "" + process.pid()),
          Duration.ofSeconds(20));
    }
  }

  /** Sends it and waits; true when the process has ended within the limit. */
  public boolean stops(ProcessIdentity process, Duration limit)
      throws IOException, InterruptedException {
    sendTo(process);
    return process.awaitEnd(limit);
  }
}
