package dev.queenmq.bench.cluster;

import dev.queenmq.bench.broker.JarOptions;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which brokers a cluster is made of; the same options for all commands. */
public final class ClusterOptions {
  @Option(names = "--brokers", description = "Default: ${DEFAULT-VALUE}.")
  private int brokers = 3;

  @Mixin private JarOptions jar = new JarOptions();

  @Option(
      names = "--seed",
      description = "Seed of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  long seed() {
    return seed;
  }

  Cluster.Plan plan(Sync sync) {
    return new Cluster.Plan(jar.jar(), brokers, sync, jar.settings(), Map.of(), seed);
  }
}
