package dev.queenmq.bench.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What can happen to the folders in which brokers keep messages while PostgreSQL is away. */
final class SpoolFaults {
  private static final String SETTING = "QUEEN_SPOOL_DIR";

  private final Plant plant;
  private final Path jar;

  SpoolFaults(Plant plant, Path jar) {
    this.plant = plant;
    this.jar = jar;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
                "fill-spool-disk",
                "no room left on the disk of each spool, while PostgreSQL is away",
                2,
                8,
                random -> {
                  plant.spoolDisks().forEach(SmallDisk::fill);
                  plant.doors().forEach(door -> door.let(TcpDoor.Mode.SHUT));
                  return () -> {
                    plant.spoolDisks().forEach(SmallDisk::clear);
                    plant.doors().forEach(door -> door.let(TcpDoor.Mode.OPEN));
                  };
                })
            .unless(missing()));
  }

  private Optional<String> missing() {
    return plant.spoolDisks().stream()
        .flatMap(disk -> disk.missing().stream())
        .findFirst()
        .or(() -> hasSpool() ? Optional.empty() : Optional.of("this broker has no spool"));
  }

  /** As it says itself. */
  private boolean hasSpool() {
    try {
      Process help =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-jar",
                  jar.toString(),
                  "--help")
              .redirectErrorStream(true)
              .start();
      return new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .contains(SETTING);
    } catch (IOException e) {
      return false;
    }
  }
}
