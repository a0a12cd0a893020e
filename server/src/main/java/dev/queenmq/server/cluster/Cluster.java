package dev.queenmq.server.cluster;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.admin.QueueDirectory.VersionedOptions;
import dev.queenmq.server.admin.SystemState;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.config.ClusterConfig;
import dev.queenmq.server.sharedstate.Environment;
import dev.queenmq.server.sharedstate.SharedState;
import dev.queenmq.server.sharedstate.SharedStateOptions;
import dev.queenmq.server.sharedstate.SyncLink;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.udpsync.PeerAddress;
import dev.queenmq.server.udpsync.UdpOptions;
import dev.queenmq.server.udpsync.UdpTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * This broker among others on the same database: the shared state, and the UDP transport that
 * carries it. Without peers it only caches for itself.
 */
public final class Cluster {
  /**
   * How long hints about leases are collected before they are sent. Leases of quick consumers have
   * ended by then and cost no packet; a hint on a longer lease loses little by the delay.
   */
  private static final long FLUSH_MILLIS = 100;

  private static final int LEASE_HINTS = 10_000;
  private static final Duration LINGER = Duration.ofSeconds(2);
  private static final Duration TOMBSTONE = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final ClusterConfig config;
  private final Optional<UdpTransport> transport;
  private final SharedState state;
  private final ClusterEvents events;
  private final ClusterPeers peers;
  private final ClusterMaintenance maintenance;

  public Cluster(
      Vertx vertx,
      ClusterConfig config,
      QueueDirectory directory,
      SystemState switches,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.config = config;
    transport =
        config.active()
            ? Optional.of(new UdpTransport(vertx, udpOptions(config), clock, nanoTime))
            : Optional.empty();
    events = new ClusterEvents(directory);
    Environment surroundings =
        new Environment(
            () -> versions(directory),
            () -> ClusterMaintenance.load(switches),
            events,
            clock::millis);
    state =
        transport.isPresent()
            ? SharedState.withPeers(stateOptions(config), link(transport.get()), surroundings)
            : SharedState.alone(stateOptions(config), surroundings);
    peers = new ClusterPeers(state, transport, directory);
    maintenance = new ClusterMaintenance(switches, state);
  }

  /** Receives the events of the sidecars. */
  public Peers peers() {
    return peers;
  }

  /** The switches of maintenance. */
  public ClusterMaintenance maintenance() {
    return maintenance;
  }

  /** Opens the socket and begins to exchange packets. */
  public Future<Void> start(Sidecars sidecars) {
    events.reaches(sidecars, state.partitionIds());
    transport.ifPresent(
        udp ->
            udp.handler(
                packet ->
                    state.receive(
                        packet.sender(),
                        packet.session().toString(),
                        packet.type(),
                        packet.payload())));
    return transport
        .map(UdpTransport::start)
        .orElse(Future.succeededFuture())
        .onSuccess(
            started -> {
              state.tick();
              vertx.setPeriodic(
                  config.heartbeat().toMillis(),
                  tick -> {
                    state.tick();
                    peers.look();
                  });
              if (transport.isPresent()) {
                vertx.setPeriodic(FLUSH_MILLIS, tick -> state.flush());
              }
            })
        // Known before the first request, and before anything leaves the spool.
        .compose(started -> maintenance.start(vertx));
  }

  /** Announces that this broker stops, and closes the socket. */
  public Future<Void> stop() {
    state.stopping();
    return transport.map(UdpTransport::stop).orElse(Future.succeededFuture());
  }

  /** Another server takes the writes: forgets what was known of the one before. */
  public void serverChanged() {
    // What cannot be read now is read at the next refresh.
    var unused = state.startOver();
  }

  /** What is known of the others, and how well it does. */
  public JsonObject statistics() {
    JsonObject all = new JsonObject(state.statistics().fields());
    transport.ifPresent(
        udp -> all.put("transport", ClusterStatistics.transport(config.serverId(), udp)));
    return all;
  }

  /** A client reports that a partition, or any partition of a queue, got messages. */
  public void notice(String queue, String partition) {
    events.messageAvailable(queue, partition, Optional.empty());
  }

  /** Partitions of a queue were removed here: cached ids are dropped everywhere. */
  public void partitionsDeleted(String queue, List<String> partitions) {
    state.partitionsDeleted(queue, partitions);
  }

  private static SyncLink link(UdpTransport udp) {
    return new SyncLink() {
      @Override
      public boolean send(String serverId, int type, byte[] payload) {
        return udp.send(serverId, type, payload);
      }

      @Override
      public boolean send(List<String> serverIds, int type, byte[] payload) {
        return udp.send(serverIds, type, payload);
      }

      @Override
      public void broadcast(int type, byte[] payload) {
        udp.broadcast(type, payload);
      }
    };
  }

  private static CompletionStage<Map<String, Long>> versions(QueueDirectory directory) {
    return directory
        .allOptions()
        .map(
            found -> {
              Map<String, Long> all = new LinkedHashMap<>();
              for (VersionedOptions each : found) {
                all.put(each.queue(), each.version());
              }
              return all;
            })
        .toCompletionStage();
  }

  private static UdpOptions udpOptions(ClusterConfig config) {
    return new UdpOptions(
        config.serverId(),
        config.bindHost(),
        config.port(),
        config.peers().stream().map(peer -> new PeerAddress(peer.host(), peer.port())).toList(),
        config.key(),
        config.receiveBufferBytes(),
        config.heartbeat(),
        config.deadThreshold());
  }

  private static SharedStateOptions stateOptions(ClusterConfig config) {
    return new SharedStateOptions(
        config.serverId(),
        config.deadThreshold(),
        config.refreshInterval(),
        config.partitionCacheMax(),
        config.partitionCacheTtl(),
        LEASE_HINTS,
        LINGER,
        TOMBSTONE);
  }
}
