package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tier 2: which brokers have consumers of which queues. A hint: a broker that is left out finds the
 * messages by its own tail query, and one without consumers ignores the packet. Thread-safe.
 */
public final class ConsumerPresence {

  private final Map<String, PeerConsumers> peers = new ConcurrentHashMap<>();
  private final LocalConsumers local;
  private final ServerHealth health;
  private final LongSupplier clock;
  private final long broadcastUntil;
  private final LongAdder targeted = new LongAdder();
  private final LongAdder broadcast = new LongAdder();
  private final LongAdder registrations = new LongAdder();
  private final LongAdder deregistrations = new LongAdder();

  /**
   * @param listenMillis time after the start within which every live broker is heard
   */
  ConsumerPresence(
      LongSupplier clock, LocalConsumers local, ServerHealth health, long listenMillis) {
    this.clock = clock;
    this.local = local;
    this.health = health;
    this.broadcastUntil = clock.getAsLong() + listenMillis;
  }

  /**
   * The live brokers with consumers of a queue, and those whose list is not complete yet. Empty if
   * no broker was heard, or not for long enough: then send to all.
   */
  public Optional<List<String>> targets(String queue) {
    List<String> living = health.living();
    if (living.isEmpty() || clock.getAsLong() < broadcastUntil) {
      return Optional.empty();
    }
    List<String> targets = new ArrayList<>();
    for (String server : living) {
      PeerConsumers peer = peers.get(server);
      if (peer == null || peer.mayConsume(queue)) {
        targets.add(server);
      }
    }
    return Optional.of(targets);
  }

  /** Counts a message that went to some brokers, or to all. */
  void sent(boolean toAll) {
    (toAll ? broadcast : targeted).increment();
  }

  void registered(String server, String queue, long epoch) {
    registrations.increment();
    peer(server).mark(queue, epoch, true);
  }

  void deregistered(String server, String queue, long epoch) {
    deregistrations.increment();
    peer(server).mark(queue, epoch, false);
  }

  void announced(String server, PresencePart part) {
    peer(server).part(part);
  }

  /** Drops everything that a broker has sent. */
  void drop(String server) {
    peers.remove(server);
  }

  private PeerConsumers peer(String server) {
    return peers.computeIfAbsent(server, name -> new PeerConsumers());
  }

  SharedStateStatistics.Presence statistics() {
    Set<String> queues = new HashSet<>();
    peers.values().forEach(peer -> queues.addAll(peer.queues()));
    return new SharedStateStatistics.Presence(
        queues.size(),
        peers.size(),
        local.size(),
        targeted.sum(),
        broadcast.sum(),
        registrations.sum(),
        deregistrations.sum());
  }
}
