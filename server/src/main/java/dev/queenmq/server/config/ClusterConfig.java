package dev.queenmq.server.config;

import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.Secret;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How this broker and the others on the same PostgreSQL exchange hints, and how long it believes
 * what it remembers.
 *
 * @param enabled whether the peers count at all
 * @param serverId name of this broker among its peers, at most 31 bytes; of no use while not {@link
 *     #active}
 * @param bindHost address of the UDP socket
 * @param port of the UDP socket
 * @param secret 64 hexadecimal characters whenever {@link #active}
 * @param heartbeat how often it tells that it lives
 * @param deadThreshold after which a silent peer counts as dead
 * @param receiveBufferBytes of the UDP socket
 * @param refreshInterval after which the versions of queues are read anew
 * @param partitionCacheMax partition ids that are remembered
 * @param partitionCacheTtl after which they are forgotten
 */
public record ClusterConfig(
    boolean enabled,
    List<PeerHost> peers,
    String serverId,
    String bindHost,
    int port,
    Optional<Secret> secret,
    Duration heartbeat,
    Duration deadThreshold,
    int receiveBufferBytes,
    Duration refreshInterval,
    int partitionCacheMax,
    Duration partitionCacheTtl) {

  static final int SECRET_LENGTH = 64;

  /** The defaults, for tools and tests that read no environment: a broker alone. */
  public static ClusterConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).cluster();
  }

  /** Whether there is anybody to speak with. */
  public boolean active() {
    return enabled && !peers.isEmpty();
  }

  /** The 32 bytes of the secret; only of a configuration that is {@link #active}. */
  public byte[] key() {
    return HexFormat.of().parseHex(secret.orElseThrow().value());
  }
}
