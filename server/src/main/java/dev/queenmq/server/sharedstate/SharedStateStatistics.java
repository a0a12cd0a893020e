package dev.queenmq.server.sharedstate;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well the caches do, by the names that operators know.
 *
 * @param queuesKnown tier 1: queues whose version is known
 */
public record SharedStateStatistics(
    boolean enabled,
    boolean running,
    String serverId,
    boolean maintenanceMode,
    boolean popMaintenanceMode,
    long queuesKnown,
    Presence consumerPresence,
    PartitionIdCache partitionIdCache,
    Leases leaseHints,
    Health serverHealth,
    Traffic traffic) {

  /** Tier 2. */
  public record Presence(
      long queuesTracked,
      long serversTracked,
      long localQueues,
      long notificationsTargeted,
      long notificationsBroadcast,
      long registrations,
      long deregistrations) {}

  /** Tier 3. */
  public record PartitionIdCache(long size, long maxSize, long hits, long misses, long evictions) {
    /** The hit rate; 0 before the first lookup. */
    public double hitRate() {
      return share(hits, misses, 0);
    }
  }

  /** Tier 4; right and wrong are those that the store has confirmed or refuted. */
  public record Leases(long size, long hintsUsed, long hintsRight, long hintsWrong) {
    /** Of the hints that could be compared with the store; 1 if none could. */
    public double accuracy() {
      return share(hintsRight, hintsWrong, 1);
    }
  }

  /** Tier 5. */
  public record Health(
      long serversTracked,
      long serversAlive,
      long serversDead,
      long heartbeatsReceived,
      long restartsDetected,
      Map<String, Instant> lastHeartbeat) {}

  /** Messages that were not understood, failures, and hints that were not sent. */
  public record Traffic(
      long messagesIgnored,
      long failures,
      long listenerFailures,
      long refreshFailures,
      long leasesUntold) {}

  private static double share(long yes, long no, double otherwise) {
    return yes + no == 0 ? otherwise : (double) yes / (yes + no);
  }

  /** The fields of the answer of the statistics routes. */
  public Map<String, Object> fields() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("enabled", enabled);
    all.put("running", running);
    all.put("server_id", serverId);
    all.put("maintenance_mode", maintenanceMode);
    all.put("pop_maintenance_mode", popMaintenanceMode);
    all.put("queue_config_cache", queueFields());
    all.put("consumer_presence", presenceFields());
    Map<String, Object> ids = new LinkedHashMap<>();
    ids.put("size", partitionIdCache.size);
    ids.put("max_size", partitionIdCache.maxSize);
    ids.put("hits", partitionIdCache.hits);
    ids.put("misses", partitionIdCache.misses);
    ids.put("hit_rate", partitionIdCache.hitRate());
    ids.put("evictions", partitionIdCache.evictions);
    all.put("partition_id_cache", ids);
    Map<String, Object> hints = new LinkedHashMap<>();
    hints.put("size", leaseHints.size);
    hints.put("hints_used", leaseHints.hintsUsed);
    hints.put("hints_right", leaseHints.hintsRight);
    hints.put("hints_wrong", leaseHints.hintsWrong);
    hints.put("accuracy", leaseHints.accuracy());
    all.put("lease_hints", hints);
    all.put("server_health", healthFields());
    Map<String, Object> rest = new LinkedHashMap<>();
    rest.put("messages_ignored", traffic.messagesIgnored);
    rest.put("failures", traffic.failures);
    rest.put("listener_failures", traffic.listenerFailures);
    rest.put("refresh_failures", traffic.refreshFailures);
    rest.put("leases_untold", traffic.leasesUntold);
    all.put("traffic", rest);
    return all;
  }

  /**
   * Settings are not cached, so there are no hits and misses; the names are those of the older
   * server.
   */
  private Map<String, Object> queueFields() {
    Map<String, Object> queues = new LinkedHashMap<>();
    queues.put("size", queuesKnown);
    queues.put("hits", 0);
    queues.put("misses", 0);
    queues.put("hit_rate", 0.0);
    return queues;
  }

  private Map<String, Object> presenceFields() {
    Map<String, Object> presence = new LinkedHashMap<>();
    presence.put("queues_tracked", consumerPresence.queuesTracked);
    presence.put("servers_tracked", consumerPresence.serversTracked);
    presence.put("local_queues", consumerPresence.localQueues);
    presence.put("notifications_targeted", consumerPresence.notificationsTargeted);
    presence.put("notifications_broadcast", consumerPresence.notificationsBroadcast);
    presence.put("registrations", consumerPresence.registrations);
    presence.put("deregistrations", consumerPresence.deregistrations);
    return presence;
  }

  private Map<String, Object> healthFields() {
    Map<String, Object> health = new LinkedHashMap<>();
    health.put("servers_tracked", serverHealth.serversTracked);
    health.put("servers_alive", serverHealth.serversAlive);
    health.put("servers_dead", serverHealth.serversDead);
    health.put("heartbeats_received", serverHealth.heartbeatsReceived);
    health.put("restarts_detected", serverHealth.restartsDetected);
    Map<String, Object> last = new LinkedHashMap<>();
    serverHealth.lastHeartbeat.forEach((server, at) -> last.put(server, at.toString()));
    health.put("last_heartbeat", last);
    return health;
  }
}
