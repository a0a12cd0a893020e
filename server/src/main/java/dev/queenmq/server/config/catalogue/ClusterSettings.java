package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;
import static dev.queenmq.server.config.catalogue.SettingKinds.secret;
import static dev.queenmq.server.config.catalogue.SettingKinds.text;

import dev.queenmq.server.config.values.PeerHost;
import dev.queenmq.server.config.values.Secret;
import java.time.Duration;
import java.util.List;

/** The part of the catalogue that is about several brokers on one PostgreSQL. */
public final class ClusterSettings {

  public static final Setting<List<PeerHost>> QUEEN_UDP_PEERS =
      new Setting<>(
          "QUEEN_UDP_PEERS",
          "",
          "a list of host or host:port, separated by commas",
          "The other brokers on the same PostgreSQL, to exchange hints with over UDP. A name may"
              + " stand for several addresses and is looked up every 30 seconds; the broker's own"
              + " address is skipped, so that all may have the same list. IPv6 with a port:"
              + " `[::1]:6633`.",
          PeerList::parse);
  public static final Setting<Integer> QUEEN_UDP_NOTIFY_PORT =
      number(
          "QUEEN_UDP_NOTIFY_PORT",
          6633,
          1,
          65_535,
          "UDP port of this broker, and of peers that are listed without one.");
  public static final Setting<String> QUEEN_UDP_HOST =
      text(
          "QUEEN_UDP_HOST",
          "0.0.0.0",
          "Address that UDP binds to; `::` to reach peers at IPv6 addresses too.");
  public static final Setting<String> HOSTNAME =
      text(
              "HOSTNAME",
              "",
              "With the UDP port, the name of this broker among its peers; no two may have the"
                  + " same.")
          .otherwise("the name of the machine");
  public static final Setting<Boolean> QUEEN_SYNC_ENABLED =
      flag("QUEEN_SYNC_ENABLED", true, "With `false`, the list of peers is ignored.");
  public static final Setting<Secret> QUEEN_SYNC_SECRET =
      secret(
          "QUEEN_SYNC_SECRET",
          "",
          "Key that signs packets between brokers: 64 hexadecimal characters, the same for all,"
              + " as `openssl rand -hex 32` makes them. Required with peers.");
  public static final Setting<Duration> QUEEN_SYNC_HEARTBEAT_MS =
      millis(
          "QUEEN_SYNC_HEARTBEAT_MS",
          1_000,
          50,
          60_000,
          "How often a broker sends a heartbeat to the others, in milliseconds.");
  public static final Setting<Duration> QUEEN_SYNC_DEAD_THRESHOLD_MS =
      millis(
          "QUEEN_SYNC_DEAD_THRESHOLD_MS",
          5_000,
          100,
          600_000,
          "Time without a packet after which a broker counts as dead, in milliseconds; longer"
              + " than `QUEEN_SYNC_HEARTBEAT_MS`.");
  public static final Setting<Integer> QUEEN_SYNC_RECV_BUFFER_MB =
      number(
          "QUEEN_SYNC_RECV_BUFFER_MB",
          8,
          1,
          1_024,
          "Receive buffer of the UDP socket, in MiB. More than 1 counts as 1, and Linux grants no"
              + " more than `net.core.rmem_max`.");
  public static final Setting<Duration> QUEEN_CACHE_REFRESH_INTERVAL_MS =
      millis(
          "QUEEN_CACHE_REFRESH_INTERVAL_MS",
          60_000,
          1_000,
          86_400_000,
          "How often the versions of queues are read from PostgreSQL, in milliseconds: a change"
              + " that was not heard of is noticed then.");
  public static final Setting<Integer> QUEEN_CACHE_PARTITION_MAX =
      number(
          "QUEEN_CACHE_PARTITION_MAX",
          10_000,
          0,
          10_000_000,
          "Partitions whose ids are cached; the least recently used are evicted.");
  public static final Setting<Duration> QUEEN_CACHE_PARTITION_TTL_MS =
      millis(
          "QUEEN_CACHE_PARTITION_TTL_MS",
          300_000,
          1_000,
          86_400_000,
          "Time after which they are evicted in any case, in milliseconds.");

  static final Settings.Group GROUP =
      new Settings.Group(
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

  private ClusterSettings() {}
}
