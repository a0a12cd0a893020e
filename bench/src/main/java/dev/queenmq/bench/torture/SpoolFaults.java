package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.TcpProxy;
import java.util.List;
import java.util.Optional;

/** What can happen to the folders in which brokers keep messages while PostgreSQL is away. */
final class SpoolFaults {
  private final Deployment deployment;

  SpoolFaults(Deployment deployment) {
    this.deployment = deployment;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
                "fill-spool-disk",
                "no room left on the disk of each spool, while PostgreSQL is away",
                2,
                8,
                random -> {
                  deployment.spoolDisks().forEach(SmallDisk::fill);
                  deployment.proxies().forEach(proxy -> proxy.let(TcpProxy.Mode.SHUT));
                  return () -> {
                    deployment.spoolDisks().forEach(SmallDisk::clear);
                    deployment.proxies().forEach(proxy -> proxy.let(TcpProxy.Mode.OPEN));
                  };
                })
            .unless(missing()));
  }

  private Optional<String> missing() {
    return deployment.spoolDisks().stream().flatMap(disk -> disk.missing().stream()).findFirst();
  }
}
