package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileFailure;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A data folder that belongs to this process, found fit for a server that is not started yet. Close
 * it to give it back; once a server has started, its own end does that.
 */
public final class ClaimedFolder implements AutoCloseable {

  private final EmbeddedPostgresConfig config;
  private final DataFolder folder;
  private final FolderLock lock;
  private final AtomicBoolean begun = new AtomicBoolean();

  private ClaimedFolder(EmbeddedPostgresConfig config, DataFolder folder, FolderLock lock) {
    this.config = config;
    this.folder = folder;
    this.lock = lock;
  }

  static ClaimedFolder of(EmbeddedPostgresConfig config) throws EmbeddedPostgresException {
    check(config);
    DataFolder folder = DataFolder.open(config.dataDir());
    return new ClaimedFolder(config, folder, folder.lock());
  }

  /** All that can be known before the programs are unpacked. Makes nothing. */
  private static void check(EmbeddedPostgresConfig config) throws EmbeddedPostgresException {
    Optional<DataFolder> there = DataFolder.look(config.dataDir());
    if (there.isPresent()) {
      there.get().checkUnlocked();
    }
    int major = BundledArchive.MAJOR_VERSION;
    String programs = "the bundled one";
    try {
      if (config.binDir().isPresent()) {
        PostgresInstallation installation = PostgresInstallation.at(config.binDir().get());
        major = installation.majorVersion();
        programs = installation.bin().toString();
      } else {
        BundledArchive.forThisMachine();
      }
      if (there.isPresent() && Cluster.isIn(there.get())) {
        Cluster.check(there.get(), major, programs);
      }
    } catch (IOException e) {
      throw DataFolder.unusable(there.orElseThrow().root(), FileFailure.describe(e), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Starts a server, once, and waits until it takes connections. Recovers from an earlier run that
   * was killed; leaves nothing behind when it fails.
   */
  public EmbeddedPostgres start() throws EmbeddedPostgresException {
    if (!begun.compareAndSet(false, true)) {
      throw new IllegalStateException("started or closed before");
    }
    boolean started = false;
    try {
      EmbeddedPostgres server = EmbeddedPostgres.start(config, folder, lock);
      started = true;
      return server;
    } catch (IOException e) {
      throw DataFolder.unusable(folder.root(), FileFailure.describe(e), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      if (!started) {
        lock.close();
      }
    }
  }

  private static EmbeddedPostgresException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EmbeddedPostgresException(
        Reason.START_FAILED, "The start of PostgreSQL was interrupted", e);
  }

  /** Gives the folder back, unless a start has begun, which then does so at its end. */
  @Override
  public void close() {
    if (begun.compareAndSet(false, true)) {
      lock.close();
    }
  }
}
