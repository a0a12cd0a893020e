package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.TcpDoor;
import java.util.List;
import java.util.Optional;

/** What can happen to the folders in which brokers keep messages while PostgreSQL is away. */
final class SpoolFaults {
  private final Plant plant;

  SpoolFaults(Plant plant) {
    this.plant = plant;
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
    return plant.spoolDisks().stream().flatMap(disk -> disk.missing().stream()).findFirst();
  }
}
