package dev.queenmq.bench.cluster;

import dev.queenmq.bench.broker.BrokerProcess;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which brokers a cluster is made of; the same options for all commands. */
public final class ClusterOptions {
  @Option(names = "--brokers", description = "Default: ${DEFAULT-VALUE}.")
  private int brokers = 3;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "The broker to start; default: server/target/queen.jar of this build.")
  private Optional<Path> jar = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A setting of each broker; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--seed",
      description = "Of all random choices (default: ${DEFAULT-VALUE}); timing still differs.")
  private long seed = 1;

  /** Made by picocli. */
  public ClusterOptions() {}

  long seed() {
    return seed;
  }

  Cluster.Plan plan(Sync sync) {
    return new Cluster.Plan(
        jar.orElseGet(BrokerProcess::builtJar),
        brokers,
        sync,
        Map.copyOf(settings),
        Map.of(),
        seed);
  }
}
