package dev.queenmq.bench.broker;

import dev.queenmq.bench.PostgresOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which brokers a command starts; the same options for all of them. */
public final class JarOptions {
  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "The broker to start; default: server/target/queen.jar of this build.")
  private Optional<Path> jar = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A setting of each broker to start; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** The broker to start. */
  public Path jar() {
    return jar.orElseGet(BrokerProcess::builtJar);
  }

  /** What the command line sets. */
  public Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** Starts one with these settings, unless the command line says otherwise. */
  public BrokerProcess start(PostgresOptions postgres, Map<String, String> defaults) {
    Map<String, String> environment = new LinkedHashMap<>(defaults);
    postgres.binFolder().ifPresent(bin -> environment.put("QUEEN_PG_BIN", bin.toString()));
    environment.putAll(settings);
    return BrokerProcess.start(jar(), postgres.parent(), environment);
  }
}
