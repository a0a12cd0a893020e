package dev.queenmq.server.http.server;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.ProtectionConfig;
import dev.queenmq.server.config.ProtectionConfig.Https;
import dev.queenmq.server.config.ServerConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of a port, as tests need them. */
final class Protections {
  private final HttpConfig address;
  private final Map<String, String> environment = new HashMap<>();
  private Optional<Https> https = Optional.empty();

  private Protections(HttpConfig address) {
    this.address = address;
  }

  static Protections on(HttpConfig address) {
    return new Protections(address);
  }

  Protections https(Https files) {
    https = Optional.of(files);
    return this;
  }

  Protections set(String name, Object value) {
    environment.put(name, value.toString());
    return this;
  }

  HttpConfig config() {
    HttpConfig read = ServerConfig.read(environment, List.of()).http();
    ProtectionConfig all = read.protection();
    return new HttpConfig(
        address.host(),
        address.port(),
        read.maxHeaderBytes(),
        read.maxBodyBytes(),
        read.maxJsonDepth(),
        read.maxItemsPerRequest(),
        read.maxMemoryBytes(),
        read.drain(),
        read.warmUp(),
        new ProtectionConfig(
            https,
            all.origins(),
            all.hosts(),
            all.trustedProxies(),
            all.maxConnections(),
            all.maxConnectionsPerAddress(),
            all.maxWaitingPerAddress(),
            all.maxRequestRate(),
            all.headTimeout(),
            all.idleTimeout(),
            all.minBodyRate()));
  }
}
