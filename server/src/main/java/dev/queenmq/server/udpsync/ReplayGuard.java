package dev.queenmq.server.udpsync;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Lets every packet pass once. Belongs to one event loop; remembers a bounded amount. */
public final class ReplayGuard {

  /*
   * Within a session, a sliding window: packets may overtake each other by up to 1024 places,
   * and each passes once.
   *
   * A sender that is restarted begins a new session. Sessions carry the time of their start, so:
   *
   * - a later session replaces the current one, and the current one is over for good;
   * - an earlier one is a replay, or the sender's clock went back while it was restarted. The two
   *   look the same, so it is refused as long as the current session lives; once that has been
   *   silent for the dead threshold, an unknown session is let in whatever its time. Only packets
   *   that pass count as a sign of life: replays cannot keep a dead session alive, and so cannot
   *   shut out the sender's real one;
   * - sessions known to be over never come back, as long as they are remembered (the last 16).
   *
   * What remains possible for an attacker who records packets and can send from a peer's address:
   * to a receiver
   * that knows nothing of the sender, because it was just started, or (after the silence above) to
   * one that has never seen or has forgotten the session, recorded packets are news. The sender's
   * next packet, a heartbeat away if it lives, ends that for older sessions; for its current
   * session
   * the receiver can be told once more, once, what was sent before. All of this is hints, which
   * cost
   * time and never a message; those that age carry their own time, for their readers to judge.
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
