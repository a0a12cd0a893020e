package dev.queenmq.server.udpsync;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Lets every packet pass once. Belongs to one event loop; remembers a bounded amount. */
public final class ReplayGuard {

  /*
   * SenderWindow says what passes. This is what remains possible for an attacker who records
   * packets and can send from a peer's address.
   *
   * A receiver that knows nothing of the sender accepts recorded packets: it was just started, or
   * it has forgotten the session, or has never seen it and the sender was silent for the dead
   * threshold. If the sender lives, its next heartbeat ends that for older sessions. Packets of its
   * current session can be replayed to such a receiver once.
   *
   * All packets are hints. A wrong one costs time and never a message. Hints that expire carry their
   * own time, so that the receiver can judge their age.
   */
  private final int maxSenders;
  private final long deadNanos;
  private final Map<String, SenderWindow> senders = new HashMap<>();

  /**
   * A guard that has seen nothing.
   *
   * @param maxSenders that are remembered
   * @param deadThreshold silence after which a session may be followed by any that is unknown
   */
  public ReplayGuard(int maxSenders, Duration deadThreshold) {
    this.maxSenders = maxSenders;
    deadNanos = deadThreshold.toNanos();
  }

  /**
   * Takes note of a packet that is genuine.
   *
   * @param nowNanos from a clock that never goes back
   * @return why it must be dropped, or nothing if it passes
   */
  public Optional<DropReason> check(Packet packet, long nowNanos) {
    SenderWindow window = senders.get(packet.sender());
    if (window == null) {
      if (senders.size() >= maxSenders && !forgetOne(nowNanos)) {
        return Optional.of(DropReason.TOO_MANY_SENDERS);
      }
      window = new SenderWindow(packet.session(), nowNanos);
      senders.put(packet.sender(), window);
    }
    return window.check(packet.session(), packet.sequence(), nowNanos, deadNanos);
  }

  /** Live senders are not dropped in favour of a new one. */
  private boolean forgetOne(long nowNanos) {
    return senders.entrySet().stream()
        .filter(sender -> sender.getValue().isSilent(nowNanos, deadNanos))
        .max(Comparator.comparingLong(sender -> nowNanos - sender.getValue().heardNanos()))
        .map(Map.Entry::getKey)
        .map(senders::remove)
        .isPresent();
  }
}
