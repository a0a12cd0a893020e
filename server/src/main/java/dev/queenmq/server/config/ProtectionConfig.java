package dev.queenmq.server.config;

import dev.queenmq.server.config.values.AddressBlock;
import dev.queenmq.server.config.values.CorsOrigins;
import dev.queenmq.server.config.values.HostNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the HTTP port does about strangers.
 *
 * @param https the files to speak TLS with; empty means plain text
 * @param origins the web pages that may use the broker
 * @param hosts the names that the broker answers to
 * @param trustedProxies who is believed when it says for whom it asks
 * @param maxConnections in all
 * @param maxConnectionsPerAddress of one client address
 * @param maxWaitingPerAddress pops of one client address that may wait
 * @param maxRequestRate requests a second with one token; 0 means any
 * @param headTimeout until the headers of a first request are there, and TLS has been agreed on
 * @param idleTimeout without a request
 * @param minBodyRate bytes a second that a body must come with
 */
public record ProtectionConfig(
    Optional<HttpsConfig> https,
    CorsOrigins origins,
    HostNames hosts,
    List<AddressBlock> trustedProxies,
    int maxConnections,
    int maxConnectionsPerAddress,
    int maxWaitingPerAddress,
    int maxRequestRate,
    Duration headTimeout,
    Duration idleTimeout,
    int minBodyRate) {

  /** Copies the list. */
  public ProtectionConfig {
    trustedProxies = List.copyOf(trustedProxies);
  }
}
