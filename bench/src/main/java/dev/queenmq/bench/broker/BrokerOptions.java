package dev.queenmq.bench.broker;

import dev.queenmq.bench.PostgresOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which broker a command speaks with; the same options for all of them. */
public final class BrokerOptions {
  @Option(
      names = "--url",
      description =
          "A running broker, http://host:port; default: one of its own on an empty PostgreSQL,"
              + " which goes away. May be repeated where a command can use several brokers of one"
              + " PostgreSQL.")
  private List<String> urls = new ArrayList<>();

  @Mixin private JarOptions jar = new JarOptions();

  @Option(
      names = "--token",
      description = "A token that every request carries, for a broker that asks for one.")
  private String token = "";

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
  public JarOptions jar() {
    return jar;
  }

  /** Starts a broker of our own. */
  public BrokerProcess start(PostgresOptions postgres) {
    return start(postgres, Map.of());
  }

  /** Starts one with these settings, unless the command line says otherwise. */
  public BrokerProcess start(PostgresOptions postgres, Map<String, String> defaults) {
    return jar.start(postgres, defaults);
  }
}
