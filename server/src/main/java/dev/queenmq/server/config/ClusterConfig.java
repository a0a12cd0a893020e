package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;
import static dev.queenmq.server.config.Setting.text;

import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.ServerId;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
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
 * @param heartbeat how often it sends a heartbeat
 * @param deadThreshold after which a silent peer counts as dead
 * @param receiveBufferBytes of the UDP socket
 * @param refreshInterval after which the versions of queues are read again
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
  static final Setting<List<PeerHost>> QUEEN_UDP_PEERS =
      new Setting<>(
          "QUEEN_UDP_PEERS",
          "",
          "a list of host or host:port, separated by commas",
          "The other brokers on the same PostgreSQL, to exchange hints with over UDP. A name may"
              + " stand for several addresses and is looked up every 30 seconds; the broker's own"
              + " address is skipped, so that all may have the same list. IPv6 with a port:"
              + " `[::1]:6633`.",
          PeerHost::list);
  static final Setting<Integer> QUEEN_UDP_NOTIFY_PORT =
      number(
          "QUEEN_UDP_NOTIFY_PORT",
          6633,
          1,
          65_535,
          "UDP port of this broker, and of peers that are listed without one.");
  static final Setting<String> QUEEN_UDP_HOST =
      text(
          "QUEEN_UDP_HOST",
          "0.0.0.0",
          "Address that UDP binds to; `::` to reach peers at IPv6 addresses too.");
  static final Setting<String> HOSTNAME =
      text(
              "HOSTNAME",
              "",
              "With the UDP port, the name of this broker among its peers; no two may have the"
                  + " same.")
          .otherwise("the name of the machine");
  static final Setting<Boolean> QUEEN_SYNC_ENABLED =
      flag("QUEEN_SYNC_ENABLED", true, "With `false`, the list of peers is ignored.");
  static final Setting<Secret> QUEEN_SYNC_SECRET =
      Setting.secret(
          "QUEEN_SYNC_SECRET",
          "",
          "Key that signs packets between brokers: 64 hexadecimal characters, the same for all,"
              + " as `openssl rand -hex 32` makes them. Required with peers.");
  static final Setting<Duration> QUEEN_SYNC_HEARTBEAT_MS =
      millis(
          "QUEEN_SYNC_HEARTBEAT_MS",
          1_000,
          50,
          60_000,
          "How often a broker sends a heartbeat to the others, in milliseconds.");
  static final Setting<Duration> QUEEN_SYNC_DEAD_THRESHOLD_MS =
      millis(
          "QUEEN_SYNC_DEAD_THRESHOLD_MS",
          5_000,
          100,
          600_000,
          "Time without a packet after which a broker counts as dead, in milliseconds; longer"
              + " than `QUEEN_SYNC_HEARTBEAT_MS`.");
  static final Setting<Integer> QUEEN_SYNC_RECV_BUFFER_MB =
      number(
          "QUEEN_SYNC_RECV_BUFFER_MB",
          8,
          1,
          1_024,
          "Receive buffer of the UDP socket, in MiB. More than 1 counts as 1, and Linux grants no"
              + " more than `net.core.rmem_max`.");
  static final Setting<Duration> QUEEN_CACHE_REFRESH_INTERVAL_MS =
      millis(
          "QUEEN_CACHE_REFRESH_INTERVAL_MS",
          60_000,
          1_000,
          86_400_000,
          "How often the versions of queues are read from PostgreSQL, in milliseconds: a change"
              + " that was not heard of is noticed then.");
  static final Setting<Integer> QUEEN_CACHE_PARTITION_MAX =
      number(
          "QUEEN_CACHE_PARTITION_MAX",
          10_000,
          0,
          10_000_000,
          "Partitions whose ids are cached; the least recently used are evicted.");
  static final Setting<Duration> QUEEN_CACHE_PARTITION_TTL_MS =
      millis(
          "QUEEN_CACHE_PARTITION_TTL_MS",
          300_000,
          1_000,
          86_400_000,
          "Time after which the cached id of a partition is evicted in any case, in milliseconds.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "Several brokers",
          List.of(
              QUEEN_UDP_PEERS,
              QUEEN_SYNC_SECRET,
              QUEEN_SYNC_ENABLED,
              QUEEN_UDP_NOTIFY_PORT,
              QUEEN_UDP_HOST,
              HOSTNAME,
              QUEEN_SYNC_HEARTBEAT_MS,
              QUEEN_SYNC_DEAD_THRESHOLD_MS,
              QUEEN_SYNC_RECV_BUFFER_MB,
              QUEEN_CACHE_REFRESH_INTERVAL_MS,
              QUEEN_CACHE_PARTITION_MAX,
              QUEEN_CACHE_PARTITION_TTL_MS));

  static ClusterConfig read(SettingsReader reader) {
    int port = reader.value(QUEEN_UDP_NOTIFY_PORT);
    List<PeerHost> peers =
        reader.optional(QUEEN_UDP_PEERS).orElse(List.of()).stream()
            .map(
                peer -> peer.port() == PeerHost.USUAL_PORT ? new PeerHost(peer.host(), port) : peer)
            .distinct()
            .toList();
    boolean enabled = reader.value(QUEEN_SYNC_ENABLED);
    boolean active = enabled && !peers.isEmpty();
    String host =
        reader.optional(HOSTNAME).orElseGet(() -> active ? Machine.hostName() : "localhost");
    Optional<Secret> secret = reader.optional(QUEEN_SYNC_SECRET);
    if (active) {
      checkSecret(reader, secret);
    }
    Duration heartbeat = reader.value(QUEEN_SYNC_HEARTBEAT_MS);
    Duration deadThreshold = reader.value(QUEEN_SYNC_DEAD_THRESHOLD_MS);
    if (deadThreshold.compareTo(heartbeat) <= 0) {
      reader.mistake(
          "QUEEN_SYNC_DEAD_THRESHOLD_MS is '%d', but must be more than QUEEN_SYNC_HEARTBEAT_MS (%d)"
              .formatted(deadThreshold.toMillis(), heartbeat.toMillis()));
    }
    return new ClusterConfig(
        enabled,
        peers,
        ServerId.of(host, port),
        reader.value(QUEEN_UDP_HOST),
        port,
        secret,
        heartbeat,
        deadThreshold,
        reader.value(QUEEN_SYNC_RECV_BUFFER_MB) << 20,
        reader.value(QUEEN_CACHE_REFRESH_INTERVAL_MS),
        reader.value(QUEEN_CACHE_PARTITION_MAX),
        reader.value(QUEEN_CACHE_PARTITION_TTL_MS));
  }

  /** The mistakes say nothing of the text itself. */
  private static void checkSecret(SettingsReader reader, Optional<Secret> secret) {
    String wrong = secret.map(Secret::faultAsKey).orElse("is missing");
    if (!wrong.isEmpty()) {
      reader.mistake(
          ("QUEEN_SYNC_SECRET %s, but brokers with QUEEN_UDP_PEERS need the same 64 hexadecimal"
                  + " characters each; make them with: openssl rand -hex 32")
              .formatted(wrong));
    }
  }

  /** The defaults, for tools and tests that read no environment: a broker alone. */
  public static ClusterConfig defaults() {
    return read(SettingsReader.defaults());
  }

  /** Whether there are peers to exchange packets with. */
  public boolean active() {
    return enabled && !peers.isEmpty();
  }

  /** The 32 bytes of the secret; only of a configuration that is {@link #active}. */
  public byte[] key() {
    return HexFormat.of().parseHex(secret.orElseThrow().value());
  }
}
