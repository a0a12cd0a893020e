package dev.queenmq.bench;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which PostgreSQL a command runs on; the same options for all of them. */
public final class PostgresOptions {
  @Option(
      names = "--pg-bin",
      paramLabel = "DIR",
      description = "The bin folder of another PostgreSQL installation; default: the bundled one.")
  private Optional<Path> binFolder = Optional.empty();

  @Option(
      names = "--pg-cache",
      paramLabel = "DIR",
      description = "Where the bundled PostgreSQL is unpacked; default: a folder that goes away.")
  private Optional<Path> binariesCache = Optional.empty();

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where the data go while it runs; default: the system's temporary folder.")
  private Optional<Path> parent = Optional.empty();

  /** Made by picocli. */
  public PostgresOptions() {}

  /** The same without a command line. */
  public PostgresOptions(
      Optional<Path> binFolder, Optional<Path> binariesCache, Optional<Path> parent) {
    this.binFolder = binFolder;
    this.binariesCache = binariesCache;
    this.parent = parent;
  }

  /** The installation, if not ours. */
  public Optional<Path> binFolder() {
    return binFolder;
  }

  /** Where the bundled one is unpacked, if that stays. */
  public Optional<Path> binariesCache() {
    return binariesCache;
  }

  /** Where the data go, if not to the usual place. */
  public Optional<Path> parent() {
    return parent;
  }
}
