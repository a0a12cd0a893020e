package dev.queenmq.bench.broker;

import dev.queenmq.bench.PostgresOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which broker a command speaks with; the same options for all of them. */
public final class BrokerOptions {
  @Option(
      names = "--url",
      description =
          "A running broker, http://host:port; default: one of its own on an empty PostgreSQL, which"
              + " goes away. May be repeated where a command can use several brokers of one"
              + " PostgreSQL.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "The broker to start; default: server/target/queen.jar of this build.")
  private Optional<Path> jar = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A setting of the broker to start; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--token",
      description = "A token that every request carries, for a broker that asks for one.")
  private String token = "";

  /** Made by picocli. */
  public BrokerOptions() {}

  /** The running broker, if one was named. */
  public Optional<BrokerUrl> url() {
    if (urls.size() > 1) {
      throw new IllegalArgumentException("this command speaks with one broker only");
    }
    return urls().stream().findFirst().map(this::authorized);
  }

  /** The running brokers; empty if none was named. */
  public List<BrokerUrl> urls() {
    return urls.stream().map(BrokerUrl::parse).toList();
  }

  /** The same, with the token of the command line. */
  public BrokerUrl authorized(BrokerUrl url) {
    return url.with(token);
  }

  /** The broker to start. */
  public Path jar() {
    return jar.orElseGet(BrokerProcess::builtJar);
  }

  /** What the command line sets. */
  public Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** Starts a broker of our own. */
  public BrokerProcess start(PostgresOptions postgres) {
    return start(postgres, Map.of());
  }

  /** Starts one with these settings, unless the command line says otherwise. */
  public BrokerProcess start(PostgresOptions postgres, Map<String, String> defaults) {
    Map<String, String> environment = new LinkedHashMap<>(defaults);
    postgres.binFolder().ifPresent(bin -> environment.put("QUEEN_PG_BIN", bin.toString()));
    environment.putAll(settings);
    return BrokerProcess.start(jar(), postgres.parent(), environment);
  }
}
