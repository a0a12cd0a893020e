package dev.queenmq.embedded;

import dev.queenmq.embedded.process.Launcher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What an embedded PostgreSQL is started with.
 *
 * @param dataDir the folder that holds the database, its log, lock and (by default) the unpacked
 *     programs; created when missing
 * @param binDir the {@code bin} folder of another PostgreSQL installation, instead of our own
 * @param binariesCache where our own PostgreSQL is unpacked; shared safely between processes, by
 *     default inside {@code dataDir}
 * @param settings extra server settings, which win over ours and over the user's file
 * @param launcher forces one way of starting; by default the first that works
 * @param startTimeout how long crash recovery may take before the start is given up
 * @param stopTimeout how long a fast shutdown may take before it becomes an immediate one
 * @param durable whether what was committed survives a power cut; tests need not wait for the disk
 */
public record EmbeddedPostgresConfig(
    Path dataDir,
    Optional<Path> binDir,
    Optional<Path> binariesCache,
    Map<String, String> settings,
    Optional<Launcher> launcher,
    Duration startTimeout,
    Duration stopTimeout,
    boolean durable) {

  public EmbeddedPostgresConfig {
    settings = Map.copyOf(settings);
  }

  /** Defaults for a data folder. */
  public static EmbeddedPostgresConfig in(Path dataDir) {
    return new EmbeddedPostgresConfig(
        dataDir,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30),
        true);
  }

  /** Uses the programs of another installation when one is given. */
  public EmbeddedPostgresConfig withBinDir(Optional<Path> other) {
    return new EmbeddedPostgresConfig(
        dataDir, other, binariesCache, settings, launcher, startTimeout, stopTimeout, durable);
  }

  /** Unpacks our own PostgreSQL to this folder. */
  public EmbeddedPostgresConfig withBinariesCache(Path cache) {
    return new EmbeddedPostgresConfig(
        dataDir,
        binDir,
        Optional.of(cache),
        settings,
        launcher,
        startTimeout,
        stopTimeout,
        durable);
  }

  /** Replaces the extra server settings. */
  public EmbeddedPostgresConfig withSettings(Map<String, String> other) {
    return new EmbeddedPostgresConfig(
        dataDir, binDir, binariesCache, other, launcher, startTimeout, stopTimeout, durable);
  }

  /** Forces one way of starting. */
  public EmbeddedPostgresConfig withLauncher(Launcher forced) {
    return new EmbeddedPostgresConfig(
        dataDir,
        binDir,
        binariesCache,
        settings,
        Optional.of(forced),
        startTimeout,
        stopTimeout,
        durable);
  }

  /** Changes the limits of start and stop. */
  public EmbeddedPostgresConfig withTimeouts(Duration start, Duration stop) {
    return new EmbeddedPostgresConfig(
        dataDir, binDir, binariesCache, settings, launcher, start, stop, durable);
  }

  /** Does not wait for the disk: for data that may be lost, as those of a test are. */
  public EmbeddedPostgresConfig withoutDurability() {
    return new EmbeddedPostgresConfig(
        dataDir, binDir, binariesCache, settings, launcher, startTimeout, stopTimeout, false);
  }
}
