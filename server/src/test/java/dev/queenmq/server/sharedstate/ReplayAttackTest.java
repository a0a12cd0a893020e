package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.udpsync.Decoded;
import dev.queenmq.server.udpsync.DropReason;
import dev.queenmq.server.udpsync.Packet;
import dev.queenmq.server.udpsync.PacketCodec;
import dev.queenmq.server.udpsync.ReplayGuard;
import dev.queenmq.server.udpsync.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Packets that an attacker has recorded, from their bytes to what a broker believes. */
class ReplayAttackTest {
  private static final UUID ID = new UUID(1, 2);
  private static final SessionId SESSION = new SessionId(1_000, 7);

  private final ManualClock clock = new ManualClock();
  private final PacketCodec codec = new PacketCodec(new byte[PacketCodec.KEY]);
  private final ReplayGuard guard = new ReplayGuard(10, Duration.ofSeconds(5));
  private final SharedState receiver =
      SharedState.withPeers(
          SharedStateOptions.defaults("B"),
          new Nowhere(),
          TestSurroundings.of(Map.of(), new RecordingListener(), clock));

  @Test
  @DisplayName(
      "Replay attack: a captured LEASE_HINT_ACQUIRED is replayed after the release and dropped")
  void replayedHint_isDropped() {
    alive(98);
    byte[] acquired =
        packet(100, new SyncMessage.LeaseHintAcquired("orders", "g", 60_000, List.of(ID)));
    assertThat(arrives(acquired)).isEmpty();
    assertThat(receiver.likelyLeasedElsewhere(ID, "g")).isTrue();
    byte[] released = packet(101, new SyncMessage.LeaseHintReleased("orders", "g", List.of(ID)));
    assertThat(arrives(released)).isEmpty();
    assertThat(receiver.likelyLeasedElsewhere(ID, "g")).isFalse();

    clock.advance(Duration.ofMinutes(5).toMillis());
    alive(102);
    assertThat(arrives(acquired)).contains(DropReason.REPLAYED);

    assertThat(receiver.likelyLeasedElsewhere(ID, "g")).isFalse();
  }

  @Test
  @DisplayName("Replay attack: packets that overtake each other are no replay, none is lost")
  void reorderedPackets_areHeard() {
    alive(48);
    byte[] first =
        packet(50, new SyncMessage.LeaseHintAcquired("orders", "g", 60_000, List.of(ID)));
    alive(51);

    assertThat(arrives(first)).isEmpty();
    assertThat(receiver.likelyLeasedElsewhere(ID, "g")).isTrue();
  }

  private void alive(long sequence) {
    assertThat(
            arrives(
                packet(
                    sequence,
                    new SyncMessage.Heartbeat(
                        0, false, new SyncMessage.PresencePart(1, 0, 1, List.of())))))
        .isEmpty();
  }

  private byte[] packet(long sequence, SyncMessage message) {
    return codec.encode(
        new Packet(
            message.type(), "A", SESSION, sequence, SyncMessageCodec.encode(message).get(0)));
  }

  /** As a transport does it; why it was dropped, if it was. */
  private Optional<DropReason> arrives(byte[] bytes) {
    if (!(codec.decode(bytes, 0, bytes.length) instanceof Decoded.Genuine genuine)) {
      throw new AssertionError("not genuine");
    }
    Packet packet = genuine.packet();
    Optional<DropReason> dropped =
        guard.check(packet, Duration.ofMillis(clock.getAsLong()).toNanos());
    if (dropped.isEmpty()) {
      receiver.receive(
          packet.sender(), packet.session().toString(), packet.type(), packet.payload());
    }
    return dropped;
  }

  private record Nowhere() implements SyncLink {
    @Override
    public boolean send(String serverId, int type, byte[] payload) {
      return true;
    }

    @Override
    public void broadcast(int type, byte[] payload) {}
  }
}
