package dev.queenmq.embedded;

import com.sun.management.OperatingSystemMXBean;
import dev.queenmq.embedded.process.LaunchPlan;
import dev.queenmq.embedded.process.LoopbackPort;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server of our own, running beside this JVM on loopback with durable settings. Data
 * stay in their folder; start it again after {@link #close()}, or after the server was killed.
 *
 * <p>Safe for use by several threads. Starting and closing block: not for an event loop.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
  private static final String DATABASE = "queen";

  private final FolderLock lock;
  private final ServerStart.Running running;
  private final PostgresAddress address;
  private final String version;
  private final boolean fresh;
  private final Duration stopTimeout;
  private boolean closed;

  private EmbeddedPostgres(
      FolderLock lock,
      ServerStart.Running running,
      PostgresAddress address,
      String version,
      boolean fresh,
      Duration stopTimeout) {
    this.lock = lock;
    this.running = running;
    this.address = address;
    this.version = version;
    this.fresh = fresh;
    this.stopTimeout = stopTimeout;
  }

  /**
   * Starts a server and waits until it takes connections. Recovers from an earlier run that was
   * killed; leaves nothing behind when it fails.
   */
  public static EmbeddedPostgres start(EmbeddedPostgresConfig config)
      throws EmbeddedPostgresException {
    try (ClaimedFolder claimed = claim(config)) {
      return claimed.start();
    }
  }

  /**
   * Finds out whether a server can be started, and reserves the folder for it. Nothing is unpacked
   * yet, and nothing is changed if it fails.
   */
  public static ClaimedFolder claim(EmbeddedPostgresConfig config)
      throws EmbeddedPostgresException {
    return ClaimedFolder.of(config);
  }

  static EmbeddedPostgres start(EmbeddedPostgresConfig config, DataFolder folder, FolderLock lock)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    PostgresInstallation installation = installation(config, folder);
    Cluster cluster = new Cluster(folder, installation);
    boolean fresh = !cluster.exists();
    if (!fresh) {
      cluster.checkVersion();
      new OrphanRecovery(folder, config.stopTimeout()).run();
    }
    LaunchPlan plan =
        new LauncherChooser(installation.postgres(), folder.root()).choose(config.launcher());
    if (fresh) {
      cluster.create(plan, config.durable());
    }
    plan.handOver(folder.cluster().toRealPath());
    cluster.write("postgresql.conf", configuration(config, folder).text(), plan);
    LoopbackPort ports = new LoopbackPort(folder.portFile(), LoopbackPort::isFree);
    ServerStart.Running running = new ServerStart(folder, installation, plan, config, ports).run();
    boolean accepted = false;
    try {
      PostgresAddress address =
          new PostgresAddress(
              LoopbackPort.HOST,
              running.port(),
              DATABASE,
              Cluster.SUPERUSER,
              Secret.read(folder.passwordFile()));
      String version = ServerCheck.run(address, config.durable());
      accepted = true;
      LOG.info(
          "PostgreSQL {} runs at {} (process {}), data in {}",
          version,
          address,
          running.process().pid(),
          folder.root());
      LOG.debug("It was started by {}", plan.launcher());
      return new EmbeddedPostgres(lock, running, address, version, fresh, config.stopTimeout());
    } finally {
      if (!accepted) {
        running.postmaster().stop(config.stopTimeout());
      }
    }
  }

  /** How to connect to the server that another process runs in a folder. */
  static PostgresAddress runningIn(DataFolder folder) throws IOException {
    return new PostgresAddress(
        LoopbackPort.HOST,
        Integer.parseInt(Files.readString(folder.portFile()).strip()),
        DATABASE,
        Cluster.SUPERUSER,
        Secret.read(folder.passwordFile()));
  }

  private static PostgresInstallation installation(EmbeddedPostgresConfig config, DataFolder folder)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    if (config.binDir().isPresent()) {
      return PostgresInstallation.at(config.binDir().get());
    }
    Path cache = config.binariesCache().orElseGet(folder::defaultBinariesCache);
    return PostgresInstallation.at(
        new BinariesCache(cache).unpacked(BundledArchive.forThisMachine()));
  }

  private static ServerConfiguration configuration(
      EmbeddedPostgresConfig config, DataFolder folder) {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new ServerConfiguration(
        machine.getTotalMemorySize(),
        folder.userConfiguration(),
        config.settings(),
        config.durable());
  }

  /** How to connect. */
  public PostgresAddress address() {
    return address;
  }

  /** The process id of the server's first process. */
  public long postmasterPid() {
    return running.process().pid();
  }

  /** The server's version, as in {@code 18.6}. */
  public String version() {
    return version;
  }

  /** True when this start created the database. */
  public boolean fresh() {
    return fresh;
  }

  /** Completes when the server has ended, for whatever reason. */
  public CompletableFuture<Void> exited() {
    return running.postmaster().onExit().thenAccept(process -> {});
  }

  /**
   * Shuts the server down and frees the folder. When it returns that is done, also if another
   * thread began it. An interrupt meanwhile stops the server at once, which the next start recovers
   * from.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    // An interrupt from before must not cost an orderly shutdown.
    boolean interrupted = Thread.interrupted();
    try {
      running.postmaster().stop(stopTimeout);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      lock.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
