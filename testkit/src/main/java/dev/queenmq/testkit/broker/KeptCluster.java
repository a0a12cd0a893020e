package dev.queenmq.testkit.broker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of PostgreSQL, kept from one JVM to the next: to make them, with the broker's schema,
 * takes longer than all else at a start.
 *
 * <p>A JVM takes the kept files away for as long as it runs, and puts them back after it has
 * stopped PostgreSQL in order. Both are one rename. So no two JVMs use the same files: another one
 * that starts meanwhile finds none and makes its own. What belongs to a JVM that was killed is not
 * put back.
 *
 * <p>PostgreSQL did not wait for the disk when it wrote them. They are whole only until the machine
 * restarts, so that they carry the name of its run; on systems without one nothing is kept.
 */
final class KeptCluster {
  private static final Logger log = LoggerFactory.getLogger(KeptCluster.class);
  private static final Path RUN_OF_THE_MACHINE = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String MARKER = "queen.boot";
  private static final Duration OUTDATED_AFTER = Duration.ofDays(1);

  private final Path place;
  private final Path machine;

  /**
   * Files in a folder.
   *
   * @param place its name differs with the version of the broker; the folder above it is ours
   */
  KeptCluster(Path place) {
    this(place, RUN_OF_THE_MACHINE);
  }

  KeptCluster(Path place, Path machine) {
    this.place = place;
    this.machine = machine;
  }

  /**
   * Takes the files, if there are any.
   *
   * @param cluster where they go; nothing is there yet
   * @return whether they are there now
   */
  boolean takeTo(Path cluster) {
    try {
      if (!isWhole(place)) {
        return false;
      }
      Files.createDirectories(cluster.getParent());
      Files.move(place, cluster, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      log.debug("Another process has taken {}, or it cannot be used", place, e);
      return false;
    }
  }

  /**
   * Puts the files of a server that has stopped back. Nothing happens if others are there already.
   *
   * @param aside where to move what is of no more use
   */
  void putBack(Path cluster, Path aside) {
    try {
      if (Files.exists(cluster.resolve("postmaster.pid")) || !Files.exists(machine)) {
        return;
      }
      Files.writeString(cluster.resolve(MARKER), Files.readString(machine));
      Files.createDirectories(place.getParent());
      moveOutdated(aside);
      Files.move(cluster, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.debug("{} is not kept", cluster, e);
    }
  }

  /** By renames too: a process that takes one of them at this moment has it whole or not at all. */
  private void moveOutdated(Path aside) throws IOException {
    Instant longAgo = Instant.now().minus(OUTDATED_AFTER);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(place.getParent())) {
      for (Path each : all) {
        if (!isWhole(each) || Files.getLastModifiedTime(each).toInstant().isBefore(longAgo)) {
          Files.move(each, aside.resolve(each.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  private boolean isWhole(Path cluster) throws IOException {
    Path marker = cluster.resolve(MARKER);
    return Files.exists(marker)
        && Files.exists(machine)
        && Files.readString(marker).equals(Files.readString(machine));
  }
}
