package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.ledger.Violations;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All faults there are, or those that were asked for. */
final class FaultList {
  /** Stands for all that hostile clients do. */
  static final String HOSTILE = "hostile";

  private FaultList() {}

  /** Whether these are all of hostile clients, which do nothing to PostgreSQL. */
  static boolean isOnlyHostile(List<String> only) {
    return !only.isEmpty()
        && only.stream()
            .allMatch(name -> name.equals(HOSTILE) || HostileFaults.NAMES.contains(name));
  }

  static List<Fault> of(Deployment deployment, TortureSettings settings, Violations zombies) {
    List<Fault> all = new ArrayList<>();
    all.addAll(new BrokerFaults(deployment, settings.leaseSeconds(), zombies).all());
    all.addAll(new PostgresFaults(deployment).all());
    all.addAll(new NetworkFaults(deployment).all());
    all.addAll(new SpoolFaults(deployment).all());
    all.addAll(new HostileFaults(deployment).all());
    Set<String> only = new HashSet<>(settings.only());
    if (only.remove(HOSTILE)) {
      only.addAll(HostileFaults.NAMES);
    }
    List<String> unknown =
        only.stream()
            .filter(name -> all.stream().noneMatch(fault -> fault.name().equals(name)))
            .toList();
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no such fault: " + String.join(", ", unknown));
    }
    return all.stream().filter(fault -> only.isEmpty() || only.contains(fault.name())).toList();
  }
}
