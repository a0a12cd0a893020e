package dev.queenmq.server.udpsync;

import dev.queenmq.server.udpsync.TransportStatistics.ConfiguredPeer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the peers are: their names, looked up again and again, as pods and containers move. Is
 * changed on one event loop; can be asked from anywhere.
 */
final class PeerDirectory {

  private static final Logger log = LoggerFactory.getLogger(PeerDirectory.class);

  private final Vertx vertx;
  private final List<PeerAddress> peers;
  private final NameLookup lookup;
  private final OwnAddress own;
  private final Map<PeerAddress, String> failures = new LinkedHashMap<>();
  private volatile Found found = new Found(Map.of(), List.of(), Set.of());
  private @Nullable Future<Void> current;

  PeerDirectory(Vertx vertx, List<PeerAddress> peers, NameLookup lookup, OwnAddress own) {
    this.vertx = vertx;
    this.peers = peers;
    this.lookup = lookup;
    this.own = own;
  }

  private record Found(
      Map<PeerAddress, List<Endpoint>> byPeer, List<Endpoint> all, Set<String> addresses) {

    /** It was found, and nothing is left of it without our own addresses. */
    boolean isOurselves(PeerAddress peer) {
      List<Endpoint> endpoints = byPeer.get(peer);
      return endpoints != null && endpoints.isEmpty();
    }
  }

  /** The addresses of all peers, without our own. */
  List<Endpoint> all() {
    return found.all();
  }

  /**
   * Whether packets from there may be a peer's. The port does not count: where addresses are
   * translated, packets seldom keep the one that they were sent from.
   */
  boolean knows(Endpoint source) {
    return found.addresses().contains(source.bareAddress());
  }

  /** Where to send for packets from there to be answered. */
  Endpoint answerTo(Endpoint source) {
    List<Endpoint> there =
        found.all().stream()
            .filter(peer -> peer.bareAddress().equals(source.bareAddress()))
            .toList();
    // A single broker there listens where the configuration says, wherever it sends from.
    return there.size() == 1 ? there.get(0) : source;
  }

  /** The peers as configured, without an entry that resolves to this broker only. */
  List<ConfiguredPeer> describe() {
    Found now = found;
    return peers.stream()
        .filter(peer -> !now.isOurselves(peer))
        .map(
            peer ->
                new ConfiguredPeer(
                    peer.toString(),
                    now.byPeer().getOrDefault(peer, List.of()).stream()
                        .map(Endpoint::toString)
                        .toList()))
        .toList();
  }

  /** Looks all names up, unless that is under way already; never fails. */
  Future<Void> refresh() {
    Future<Void> running = current;
    if (running != null) {
      return running;
    }
    Future<Void> lookups = Future.join(peers.stream().map(this::refresh).toList()).mapEmpty();
    if (lookups.isComplete()) {
      return lookups;
    }
    current = lookups;
    return lookups.onComplete(done -> current = null);
  }

  private Future<Void> refresh(PeerAddress peer) {
    return vertx
        .executeBlocking(() -> lookUp(peer), false)
        .map(
            endpoints -> {
              boolean failedBefore = failures.remove(peer) != null;
              // Nothing is known of it before the first lookup, which may find only ourselves.
              if (failedBefore || !endpoints.equals(found.byPeer().get(peer))) {
                log.info("peer {} is at {}", peer, endpoints.isEmpty() ? "our address" : endpoints);
                put(peer, endpoints);
              }
              return (Void) null;
            })
        .otherwise(
            failure -> {
              // What is known of it stays: the name service may be away, not the peer.
              String why = String.valueOf(failure.getMessage());
              if (!why.equals(failures.put(peer, why))) {
                log.warn("cannot look up peer {}, will go on trying: {}", peer, why);
              }
              return null;
            });
  }

  /** In an order of their own: name services like to turn theirs. */
  private List<Endpoint> lookUp(PeerAddress peer) throws Exception {
    List<Endpoint> endpoints = new ArrayList<>();
    for (InetAddress address : lookup.addresses(peer.host())) {
      if (!own.is(address, peer.port())) {
        endpoints.add(Endpoint.of(address, peer.port()));
      }
    }
    return endpoints.stream()
        .distinct()
        .sorted((one, other) -> one.address().compareTo(other.address()))
        .toList();
  }

  private void put(PeerAddress peer, List<Endpoint> endpoints) {
    Map<PeerAddress, List<Endpoint>> byPeer = new LinkedHashMap<>(found.byPeer());
    byPeer.put(peer, endpoints);
    List<Endpoint> all = byPeer.values().stream().flatMap(List::stream).distinct().toList();
    found =
        new Found(
            Map.copyOf(byPeer),
            all,
            all.stream().map(Endpoint::bareAddress).collect(Collectors.toUnmodifiableSet()));
  }
}
