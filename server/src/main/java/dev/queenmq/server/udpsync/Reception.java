package dev.queenmq.server.udpsync;

import dev.queenmq.server.logging.LimitedLog;
import dev.queenmq.server.udpsync.TransportStatistics.HeardPeer;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The way of a datagram from the socket to the handler, or to where it is dropped. Belongs to one
 * event loop; the list of known senders may be read by any thread.
 */
final class Reception {

  private static final int MOST_SENDERS = 256;

  private final String ownId;
  private final SessionId ownSession;
  private final PacketCodec codec;
  private final PeerDirectory directory;
  private final Counters counters;
  private final LongSupplier nanoClock;
  private final LimitedLog warnings;
  private final LimitedLog details;
  private final ReplayGuard guard;
  private final long deadNanos;
  private final Runnable foreigner;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private volatile Consumer<Packet> handler = packet -> {};

  /** What it needs of a transport; {@code foreigner} is run when a peer may have moved. */
  record Parts(
      UdpOptions options,
      SessionId session,
      PacketCodec codec,
      PeerDirectory directory,
      Counters counters,
      LongSupplier nanoClock,
      LimitedLog warnings,
      LimitedLog details,
      Runnable foreigner) {}

  Reception(Parts parts) {
    ownId = parts.options().serverId();
    ownSession = parts.session();
    codec = parts.codec();
    directory = parts.directory();
    counters = parts.counters();
    nanoClock = parts.nanoClock();
    warnings = parts.warnings();
    details = parts.details();
    foreigner = parts.foreigner();
    guard = new ReplayGuard(MOST_SENDERS, parts.options().deadThreshold());
    deadNanos = parts.options().deadThreshold().toNanos();
  }

  private record Heard(Endpoint answerTo, SessionId session, long nanos, long packets) {}

  void handler(Consumer<Packet> other) {
    handler = other;
  }

  /** Where to send to a broker, if it was heard. */
  Optional<Endpoint> addressOf(String serverId) {
    return Optional.ofNullable(heard.get(serverId)).map(Heard::answerTo);
  }

  List<HeardPeer> describe() {
    long now = nanoClock.getAsLong();
    return heard.entrySet().stream()
        .map(
            entry ->
                new HeardPeer(
                    entry.getKey(),
                    entry.getValue().answerTo().toString(),
                    entry.getValue().session(),
                    Duration.ofNanos(Math.max(0, now - entry.getValue().nanos())),
                    entry.getValue().packets()))
        .sorted(Comparator.comparing(HeardPeer::serverId))
        .toList();
  }

  void arrived(Buffer datagram, Endpoint source) {
    counters.bytesReceived.add(datagram.length());
    Decoded decoded = codec.decode(datagram);
    if (decoded instanceof Decoded.Genuine genuine) {
      admit(genuine.packet(), source);
    } else if (decoded instanceof Decoded.Dropped dropped) {
      drop(dropped.reason(), source, "an unknown sender");
    }
  }

  private void admit(Packet packet, Endpoint source) {
    if (packet.sender().equals(ownId)) {
      boolean ourselves = packet.session().equals(ownSession);
      drop(ourselves ? DropReason.OWN_PACKET : DropReason.SAME_ID, source, ownId);
      return;
    }
    if (!directory.knows(source)) {
      drop(DropReason.FOREIGN_SENDER, source, packet.sender());
      foreigner.run();
      return;
    }
    long now = nanoClock.getAsLong();
    Optional<DropReason> refused = guard.check(packet, now);
    if (refused.isPresent()) {
      drop(refused.get(), source, packet.sender());
      return;
    }
    counters.packetsReceived.increment();
    remember(packet, source, now);
    try {
      handler.accept(packet);
    } catch (RuntimeException e) {
      // A fault of one packet's reader must not stop the next.
      counters.handlerFailures.increment();
      warnings.write(
          packet.sender(),
          "handler",
          "cannot handle a packet of %s: %s".formatted(packet.sender(), e));
    }
  }

  private void remember(Packet packet, Endpoint source, long now) {
    Heard before = heard.get(packet.sender());
    if (before == null && heard.size() >= MOST_SENDERS) {
      heard.values().removeIf(other -> now - other.nanos() >= deadNanos);
    }
    heard.put(
        packet.sender(),
        new Heard(
            directory.answerTo(source),
            packet.session(),
            now,
            before == null ? 1 : before.packets() + 1));
  }

  private void drop(DropReason reason, Endpoint source, String sender) {
    counters.dropped(reason);
    LimitedLog log = reason.isUsual() ? details : warnings;
    log.write(source.bareAddress(), reason.name(), explain(reason, source, sender));
  }

  private static String explain(DropReason reason, Endpoint source, String sender) {
    String what = "dropped a packet of %s from %s: %s".formatted(sender, source, reason);
    return switch (reason) {
      case BAD_SIGNATURE -> what + "; all brokers need the same QUEEN_SYNC_SECRET";
      case FOREIGN_SENDER ->
          what
              + "; it is signed, but its address is none of QUEEN_UDP_PEERS: is one missing there?";
      case SAME_ID -> what + "; brokers need different names: set HOSTNAME or another port";
      case OLD_SESSION ->
          what + "; a replay, two brokers with the same name, or a clock that was set back";
      case TOO_SHORT,
          TOO_LONG,
          UNKNOWN_VERSION,
          BAD_LENGTH,
          BAD_SENDER,
          OWN_PACKET,
          REPLAYED,
          OLD_SEQUENCE,
          TOO_MANY_SENDERS ->
          what;
    };
  }
}
