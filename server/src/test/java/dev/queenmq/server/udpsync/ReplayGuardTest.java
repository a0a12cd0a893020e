package dev.queenmq.server.udpsync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayGuardTest {

  private static final Duration DEAD = Duration.ofSeconds(5);
  private static final SessionId FIRST = new SessionId(1_000, 1);
  private static final SessionId SECOND = new SessionId(2_000, 2);
  private static final SessionId CLOCK_SET_BACK = new SessionId(500, 3);

  private final ReplayGuard guard = new ReplayGuard(4, DEAD);
  private long now = -3;

  @Test
  void duplicate_isDropped() {
    assertPasses(FIRST, 7);
    assertDropped(FIRST, 7, DropReason.REPLAYED);
  }

  @Test
  void reordering_losesNoLivePacket() {
    assertPasses(FIRST, 51);
    assertPasses(FIRST, 50);
    assertPasses(FIRST, 1);
    assertPasses(FIRST, 1024);
    assertPasses(FIRST, 2);
    assertPasses(FIRST, 1025);
    assertPasses(FIRST, 3);
    assertDropped(FIRST, 1, DropReason.OLD_SEQUENCE);
    assertDropped(FIRST, 50, DropReason.REPLAYED);
  }

  @Test
  void windowWraps_withoutTakingOneSequenceForAnother() {
    for (long sequence = 1; sequence < 5_000; sequence++) {
      assertPasses(FIRST, sequence);
      assertDropped(FIRST, sequence, DropReason.REPLAYED);
    }
    assertPasses(FIRST, 4_999 + 1_024);
    assertPasses(FIRST, 5_000);
    assertDropped(FIRST, 4_999, DropReason.OLD_SEQUENCE);
    assertPasses(FIRST, Long.MAX_VALUE);
    assertPasses(FIRST, Long.MAX_VALUE - 1_023);
    assertDropped(FIRST, Long.MAX_VALUE - 1_024, DropReason.OLD_SEQUENCE);
    assertDropped(FIRST, Long.MIN_VALUE, DropReason.OLD_SEQUENCE);
    assertDropped(FIRST, 0, DropReason.OLD_SEQUENCE);
  }

  @Test
  void restart_resetsTheWindow() {
    assertPasses(FIRST, 5_000);
    assertPasses(SECOND, 1);
    assertDropped(SECOND, 1, DropReason.REPLAYED);
    assertPasses(SECOND, 2);
  }

  @Test
  void replayedOldSession_isNotTakenForARestart() {
    assertPasses(FIRST, 1);
    assertPasses(SECOND, 1);

    assertDropped(FIRST, 2, DropReason.OLD_SESSION);
    assertDropped(SECOND, 1, DropReason.REPLAYED);
    now += DEAD.toNanos() * 10;
    assertDropped(FIRST, 2, DropReason.OLD_SESSION);
    assertPasses(SECOND, 2);
  }

  @Test
  void unseenEarlierSession_isRefusedAsLongAsTheCurrentOneLives() {
    assertPasses(SECOND, 1);
    now += DEAD.toNanos() - 1;
    assertDropped(FIRST, 1, DropReason.OLD_SESSION);
    assertPasses(SECOND, 2);
    now += DEAD.toNanos() - 1;
    assertDropped(FIRST, 1, DropReason.OLD_SESSION);
  }

  @Test
  void restartWithAClockThatWentBack_isHeardOnceTheOldSessionIsDead() {
    assertPasses(SECOND, 1);
    assertDropped(CLOCK_SET_BACK, 1, DropReason.OLD_SESSION);
    now += DEAD.toNanos();

    assertPasses(CLOCK_SET_BACK, 2);
    assertDropped(SECOND, 2, DropReason.OLD_SESSION);
  }

  @Test
  void replays_cannotKeepADeadSessionAlive() {
    assertPasses(SECOND, 1);
    now += DEAD.toNanos() - 1;
    assertDropped(SECOND, 1, DropReason.REPLAYED);
    now += 1;

    assertPasses(CLOCK_SET_BACK, 1);
  }

  @Test
  void sameStart_otherNonce_isNoLaterSession() {
    assertPasses(FIRST, 1);
    assertDropped(new SessionId(FIRST.startedMillis(), 99), 1, DropReason.OLD_SESSION);
  }

  @Test
  void senders_doNotShareAWindow() {
    assertThat(check("a", FIRST, 1)).isEmpty();
    assertThat(check("b", FIRST, 1)).isEmpty();
    assertThat(check("a", FIRST, 1)).contains(DropReason.REPLAYED);
  }

  @Test
  void senders_areBounded_andOnlyTheDeadAreForgotten() {
    for (String sender : List.of("a", "b", "c", "d")) {
      assertThat(check(sender, FIRST, 1)).isEmpty();
    }
    assertThat(check("e", FIRST, 1)).contains(DropReason.TOO_MANY_SENDERS);
    now += DEAD.toNanos() - 1;
    assertThat(check("a", FIRST, 2)).isEmpty();
    now += 1;

    assertThat(check("e", FIRST, 1)).isEmpty();
    assertThat(check("a", FIRST, 2)).contains(DropReason.REPLAYED);
  }

  @Test
  void pastSessions_areBounded() {
    for (int i = 1; i <= 1_000; i++) {
      assertPasses(new SessionId(i, i), 1);
    }
    now += DEAD.toNanos();
    for (int i = 0; i < SenderWindow.PAST_SESSIONS; i++) {
      assertDropped(new SessionId(999 - i, 999 - i), 2, DropReason.OLD_SESSION);
    }
  }

  /** Against a model that remembers everything. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyHistory_passesWhatTheModelPasses(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model();
    List<Packet> sent = new ArrayList<>();
    Map<String, SessionId> sessions = new HashMap<>();
    Map<String, Long> sequences = new HashMap<>();
    int passed = 0;
    for (int step = 0; step < 30_000; step++) {
      String sender = "s" + random.nextInt(3);
      int dice = random.nextInt(1_000);
      if (dice < 2 || !sessions.containsKey(sender)) {
        // A restart, sometimes with a clock that went back.
        sessions.put(sender, new SessionId(random.nextInt(20) + step / 1_000, random.nextLong()));
        sequences.put(sender, 0L);
      } else if (dice < 4) {
        now += random.nextLong(2 * DEAD.toNanos());
      }
      Packet packet;
      if (dice > 800 && !sent.isEmpty()) {
        // A duplicate or something recorded: recent, or from any time.
        int back = random.nextBoolean() ? Math.min(sent.size(), 1_500) : sent.size();
        packet = sent.get(sent.size() - 1 - random.nextInt(back));
      } else {
        long next = sequences.merge(sender, random.nextInt(20) == 0 ? 600L : 1L, Long::sum);
        // Overtaken by those to come, now and then by a whole window.
        long late = random.nextInt(4) == 0 ? random.nextInt(1_100) : 0;
        packet = packet(sender, sessions.getOrDefault(sender, FIRST), Math.max(1, next - late));
        sent.add(packet);
      }
      now += 1_000_000;

      boolean passes = guard.check(packet, now).isEmpty();

      if (passes != model.passes(packet, now)) {
        throw new AssertionError("step %d: %s, passes: %s".formatted(step, packet, passes));
      }
      passed += passes ? 1 : 0;
    }
    assertThat(passed).isBetween(5_000, 29_000);
  }

  /** The rules in the plainest words. */
  private static final class Model {
    private final Set<String> seen = new HashSet<>();
    private final Map<String, SessionId> current = new HashMap<>();
    private final Map<String, List<SessionId>> past = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, Long> heard = new HashMap<>();

    boolean passes(Packet packet, long now) {
      String sender = packet.sender();
      SessionId session = packet.session();
      SessionId known = current.get(sender);
      if (known != null && !known.equals(session)) {
        List<SessionId> over = past.computeIfAbsent(sender, any -> new ArrayList<>());
        boolean remembered =
            over.subList(Math.max(0, over.size() - SenderWindow.PAST_SESSIONS), over.size())
                .contains(session);
        boolean dead = now - heard.getOrDefault(sender, now) >= DEAD.toNanos();
        if (remembered || (session.startedMillis() <= known.startedMillis() && !dead)) {
          return false;
        }
        over.add(known);
        highest.put(sender, 0L);
        String prefix = sender + "/" + session;
        seen.removeIf(key -> key.startsWith(prefix));
      }
      current.put(sender, session);
      long top = highest.getOrDefault(sender, 0L);
      if (packet.sequence() <= top - 1_024
          || !seen.add(sender + "/" + session + "/" + packet.sequence())) {
        return false;
      }
      highest.put(sender, Math.max(top, packet.sequence()));
      heard.put(sender, now);
      return true;
    }
  }

  private void assertPasses(SessionId session, long sequence) {
    assertThat(check("a", session, sequence)).isEmpty();
  }

  private void assertDropped(SessionId session, long sequence, DropReason reason) {
    assertThat(check("a", session, sequence)).contains(reason);
  }

  private Optional<DropReason> check(String sender, SessionId session, long sequence) {
    return guard.check(packet(sender, session, sequence), now);
  }

  private static Packet packet(String sender, SessionId session, long sequence) {
    return new Packet(1, sender, session, sequence, new byte[0]);
  }
}
