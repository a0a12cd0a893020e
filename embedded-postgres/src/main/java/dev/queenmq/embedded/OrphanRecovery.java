package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.process.PostmasterPidFile;
import dev.queenmq.embedded.process.ProcessIdentity;
import dev.queenmq.embedded.process.ServerProcesses;
import dev.queenmq.embedded.process.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears away what a killed run left behind. The caller holds the folder's lock, so whatever still
 * runs on the cluster has lost its owner.
 */
final class OrphanRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(OrphanRecovery.class);
  private static final Duration CHILDREN_LIMIT = Duration.ofSeconds(2);

  private final DataFolder folder;
  private final ServerProcesses processes;
  private final Duration stopLimit;

  OrphanRecovery(DataFolder folder, Duration stopLimit) throws IOException {
    this.folder = folder;
    this.processes = new ServerProcesses(folder.cluster());
    this.stopLimit = stopLimit;
  }

  void run() throws IOException, InterruptedException, EmbeddedPostgresException {
    Optional<PostmasterPidFile> found = PostmasterPidFile.read(folder.postmasterPidFile());
    if (found.isEmpty()) {
      endChildren();
      return;
    }
    long pid = found.get().pid();
    Optional<ProcessIdentity> process = ProcessIdentity.of(pid);
    if (process.isPresent() && isPostmaster(pid)) {
      LOG.warn("Stopping PostgreSQL (process {}), left behind by a run that was killed", pid);
      stop(process.get());
    }
    endChildren();
    if (ProcessHandle.of(pid).isPresent()) {
      // Another process has that id by now, or a zombie. PostgreSQL
      // would take either for a postmaster and refuse. In every other case the file stays, because
      // PostgreSQL learns from it which shared memory to look for.
      LOG.info("Removing {}: it names process {}", folder.postmasterPidFile(), pid);
      Files.deleteIfExists(folder.postmasterPidFile());
    }
  }

  private boolean isPostmaster(long pid) throws EmbeddedPostgresException {
    try {
      return processes.isPostmaster(pid);
    } catch (IOException e) {
      if (ProcessIdentity.of(pid).isEmpty()) {
        return false;
      }
      throw new EmbeddedPostgresException(
          Reason.FOLDER_IN_USE,
          """
          %s names process %d, about which we may not learn anything. If it is not a PostgreSQL, \
          remove that file and start again.\
          """
              .formatted(folder.postmasterPidFile(), pid),
          e);
    }
  }

  private void stop(ProcessIdentity postmaster)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    if (!Signal.INT.stops(postmaster, stopLimit) && !Signal.QUIT.stops(postmaster, stopLimit)) {
      throw new EmbeddedPostgresException(
          Reason.FOLDER_IN_USE,
          """
          A PostgreSQL left behind by an earlier run (process %d) does not stop. End it by hand \
          and start again.\
          """
              .formatted(postmaster.pid()));
    }
  }

  /**
   * A postmaster that was killed outright leaves children, which end by themselves as soon as they
   * notice. Until then they hold the shared memory that a new postmaster must not see in use.
   */
  private void endChildren() throws InterruptedException, IOException {
    for (ProcessIdentity child : processes.all()) {
      if (!child.awaitEnd(CHILDREN_LIMIT)) {
        LOG.warn("Ending a PostgreSQL process that outlived its postmaster: {}", child.pid());
        if (!Signal.QUIT.stops(child, CHILDREN_LIMIT)) {
          Signal.KILL.sendTo(child);
        }
      }
    }
  }
}
