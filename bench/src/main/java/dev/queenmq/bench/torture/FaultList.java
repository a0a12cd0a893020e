package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.Violations;
import java.util.ArrayList;
import java.util.List;

/** All faults there are, or those that were asked for. */
final class FaultList {
  private FaultList() {}

  static List<Fault> of(Plant plant, TortureSettings settings, Violations zombies) {
    List<Fault> all = new ArrayList<>();
    all.addAll(new BrokerFaults(plant, settings.leaseSeconds(), zombies).all());
    all.addAll(new PostgresFaults(plant).all());
    all.addAll(new NetworkFaults(plant).all());
    all.addAll(new SpoolFaults(plant, settings.jar()).all());
    all.addAll(new HostileFaults(plant).all());
    List<String> unknown =
        settings.only().stream()
            .filter(name -> all.stream().noneMatch(fault -> fault.name().equals(name)))
            .toList();
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no such fault: " + String.join(", ", unknown));
    }
    return all.stream()
        .filter(fault -> settings.only().isEmpty() || settings.only().contains(fault.name()))
        .toList();
  }
}
