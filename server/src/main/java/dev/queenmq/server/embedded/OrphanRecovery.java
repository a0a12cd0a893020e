package dev.queenmq.server.embedded;

import dev.queenmq.server.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears away what a killed run left behind. The caller holds the folder's lock, so whatever still
 * runs on the cluster has lost its owner.
 */
final class OrphanRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(OrphanRecovery.class);
  private static final Duration CHILDREN_LIMIT = Duration.ofSeconds(5);

  private final DataFolder folder;
  private final ServerProcesses processes;
  private final Duration stopLimit;

  OrphanRecovery(DataFolder folder, Duration stopLimit) {
    this.folder = folder;
    this.processes = new ServerProcesses(folder.cluster());
    this.stopLimit = stopLimit;
  }

  void run() throws IOException, InterruptedException, EmbeddedPostgresException {
    Optional<PostmasterPidFile> found = PostmasterPidFile.read(folder.postmasterPidFile());
    if (found.isPresent()) {
      recover(found.get().pid());
    }
    endChildren();
  }

  private void recover(long pid)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    if (process.isEmpty()) {
      // PostgreSQL itself knows what to do with the file of a dead postmaster.
      LOG.info("PostgreSQL (process {}) was not shut down; it will recover", pid);
    } else if (processes.isPostmaster(pid)) {
      LOG.warn("Stopping PostgreSQL (process {}), left behind by a run that was killed", pid);
      stop(process.get());
    } else if (processes.isUnknown(pid)) {
      throw new EmbeddedPostgresException(
          Reason.FOLDER_IN_USE,
          folder.postmasterPidFile()
              + " names process "
              + pid
              + ", about which this system tells"
              + " us nothing. If it is not a PostgreSQL, remove that file and start again.");
    } else {
      // The process id was given to somebody else since. PostgreSQL would refuse to start.
      LOG.info(
          "{} is stale: process {} is no PostgreSQL of this folder",
          folder.postmasterPidFile(),
          pid);
      endChildren();
      Files.deleteIfExists(folder.postmasterPidFile());
    }
  }

  private void stop(ProcessHandle postmaster)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    if (!Signal.INT.stops(postmaster, stopLimit) && !Signal.QUIT.stops(postmaster, stopLimit)) {
      throw new EmbeddedPostgresException(
          Reason.FOLDER_IN_USE,
          "A PostgreSQL left behind by an earlier run (process "
              + postmaster.pid()
              + ") does not stop. End it by hand and start again.");
    }
  }

  /**
   * A postmaster that was killed outright leaves children, which end by themselves as soon as they
   * notice. Until then they hold the shared memory that a new postmaster must not see in use.
   */
  private void endChildren() throws InterruptedException, IOException {
    List<ProcessHandle> children = processes.all();
    for (ProcessHandle child : children) {
      if (!Signal.ended(child, CHILDREN_LIMIT) && processes.all().contains(child)) {
        LOG.warn("Ending a PostgreSQL process that outlived its postmaster: {}", child.pid());
        Signal.QUIT.sendTo(child);
        if (!Signal.ended(child, CHILDREN_LIMIT)) {
          child.destroyForcibly();
        }
      }
    }
  }
}
