package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a broker remembers, and what it knows of other brokers. Before its first contact with
 * PostgreSQL a broker reports {@code enabled} only.
 *
 * @param enabled whether it has peers
 * @param running whether it talks to them
 * @param serverId its name
 * @param maintenanceMode whether pushes stay in the spools
 * @param popMaintenanceMode whether pops find nothing
 * @param consumerPresence which brokers have consumers waiting for which queues
 * @param partitionIdCache partitions that it remembers
 * @param leaseHints leases that it has heard of
 * @param serverHealth which brokers are alive
 * @param traffic what it made of messages of others
 * @param transport how messages travel; null without peers
 * @param groupBackoff groups of polls that wait here
 * @param localSidecars how many event loops carry to PostgreSQL
 */
public record SharedState(
    boolean enabled,
    boolean running,
    @JsonProperty("server_id") @Nullable String serverId,
    @JsonProperty("maintenance_mode") boolean maintenanceMode,
    @JsonProperty("pop_maintenance_mode") boolean popMaintenanceMode,
    @JsonProperty("consumer_presence") @Nullable Presence consumerPresence,
    @JsonProperty("partition_id_cache") @Nullable Cache partitionIdCache,
    @JsonProperty("lease_hints") @Nullable Hints leaseHints,
    @JsonProperty("server_health") @Nullable Servers serverHealth,
    @Nullable Traffic traffic,
    @Nullable Transport transport,
    @JsonProperty("group_backoff") BrokerMetrics.@Nullable GroupBackoff groupBackoff,
    @JsonProperty("local_sidecars") int localSidecars) {

  /**
   * Which brokers have consumers waiting for which queues.
   *
   * @param queuesTracked queues that anyone waits for
   * @param serversTracked brokers at which a poll waits
   * @param localQueues queues that are waited for here
   * @param notificationsTargeted sent to brokers with waiting consumers
   * @param notificationsBroadcast sent to all
   * @param registrations received
   * @param deregistrations received
   */
  public record Presence(
      @JsonProperty("queues_tracked") long queuesTracked,
      @JsonProperty("servers_tracked") long serversTracked,
      @JsonProperty("local_queues") long localQueues,
      @JsonProperty("notifications_targeted") long notificationsTargeted,
      @JsonProperty("notifications_broadcast") long notificationsBroadcast,
      long registrations,
      long deregistrations) {}

  /**
   * What is remembered.
   *
   * @param size how much
   * @param maxSize at most
   * @param hits questions that it answered
   * @param misses questions that it did not
   * @param hitRate from 0 to 1
   * @param evictions forgotten for want of room
   */
  public record Cache(
      long size,
      @JsonProperty("max_size") long maxSize,
      long hits,
      long misses,
      @JsonProperty("hit_rate") double hitRate,
      long evictions) {}

  /**
   * Leases that it has heard of.
   *
   * @param size how many
   * @param hintsUsed how often they were relied on
   * @param hintsRight how often PostgreSQL confirmed them
   * @param hintsWrong how often it did not
   * @param accuracy from 0 to 1
   */
  public record Hints(
      long size,
      @JsonProperty("hints_used") long hintsUsed,
      @JsonProperty("hints_right") long hintsRight,
      @JsonProperty("hints_wrong") long hintsWrong,
      double accuracy) {}

  /**
   * Which brokers are alive.
   *
   * @param serversTracked known
   * @param serversAlive heard of lately
   * @param serversDead silent
   * @param heartbeatsReceived from all
   * @param restartsDetected of all
   * @param lastHeartbeat by broker
   */
  public record Servers(
      @JsonProperty("servers_tracked") long serversTracked,
      @JsonProperty("servers_alive") long serversAlive,
      @JsonProperty("servers_dead") long serversDead,
      @JsonProperty("heartbeats_received") long heartbeatsReceived,
      @JsonProperty("restarts_detected") long restartsDetected,
      @JsonProperty("last_heartbeat") Map<String, Instant> lastHeartbeat) {}

  /**
   * What it made of messages of others.
   *
   * @param messagesIgnored that it did not understand
   * @param failures of any kind
   * @param listenerFailures of what listens to them
   * @param refreshFailures of reads from PostgreSQL
   * @param leasesUntold that were not worth a message
   */
  public record Traffic(
      @JsonProperty("messages_ignored") long messagesIgnored,
      long failures,
      @JsonProperty("listener_failures") long listenerFailures,
      @JsonProperty("refresh_failures") long refreshFailures,
      @JsonProperty("leases_untold") long leasesUntold) {}

  /**
   * How messages travel between brokers.
   *
   * @param serverId the name of this broker
   * @param sessionId changes with each start
   * @param port that it listens on
   * @param peers as configured
   * @param heard by the name of the broker
   * @param messagesSent packets
   * @param messagesReceived packets
   * @param bytesSent of these packets
   * @param bytesReceived of these packets
   * @param messagesDropped packets that were not taken
   * @param dropped the same, by reason
   * @param sendErrors packets that could not be sent
   */
  public record Transport(
      @JsonProperty("server_id") String serverId,
      @JsonProperty("session_id") String sessionId,
      int port,
      List<Peer> peers,
      Map<String, Heard> heard,
      @JsonProperty("messages_sent") long messagesSent,
      @JsonProperty("messages_received") long messagesReceived,
      @JsonProperty("bytes_sent") long bytesSent,
      @JsonProperty("bytes_received") long bytesReceived,
      @JsonProperty("messages_dropped") long messagesDropped,
      Map<String, Long> dropped,
      @JsonProperty("send_errors") long sendErrors) {}

  /**
   * A broker that this one has heard of.
   *
   * @param name as configured
   * @param resolved whether it has an address
   * @param addresses of the name
   */
  public record Peer(String name, boolean resolved, List<String> addresses) {}

  /**
   * A broker that was heard.
   *
   * @param address that it sends from
   * @param silentMs milliseconds since its last packet
   * @param messages packets
   */
  public record Heard(String address, @JsonProperty("silent_ms") long silentMs, long messages) {}
}
