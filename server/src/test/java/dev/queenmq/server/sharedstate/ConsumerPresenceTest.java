package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConsumerPresenceTest {
  private final ManualClock clock = new ManualClock();
  private final ServerHealth health = new ServerHealth(clock, 5000, new Unmoved());
  private final LocalConsumers local = new LocalConsumers(clock, 2000);
  private final ConsumerPresence presence = new ConsumerPresence(clock, local, health, 5000);

  ConsumerPresenceTest() {
    clock.advance(5000);
  }

  @Test
  void consumerPresence_noBrokerHeardYet_broadcastToAll() {
    assertThat(presence.targets("orders")).isEmpty();
  }

  @Test
  void consumerPresence_shortlyAfterTheStart_broadcastToAll() {
    ConsumerPresence young = new ConsumerPresence(clock, local, health, 5000);
    alive("B");
    young.announced("B", whole(1));
    assertThat(young.targets("orders")).isEmpty();
    clock.advance(5000);
    alive("B");
    assertThat(young.targets("orders")).contains(List.of());
  }

  @Test
  void consumerPresence_onlyServerB_notifyB() {
    alive("B", "C");
    presence.announced("B", whole(1, "orders"));
    presence.announced("C", whole(1, "mails"));
    assertThat(presence.targets("orders")).contains(List.of("B"));
    assertThat(presence.targets("nobody's")).contains(List.of());
  }

  @Test
  void consumerPresence_serverHasNotToldItsList_isNotified() {
    alive("B", "C");
    presence.announced("B", whole(1, "mails"));
    presence.registered("C", "mails", 1);
    assertThat(presence.targets("orders")).contains(List.of("C"));
  }

  @Test
  void consumerPresence_deadServers_areNotNotified() {
    alive("B", "C");
    presence.announced("B", whole(1, "orders"));
    clock.advance(4000);
    alive("C");
    clock.advance(1000);
    assertThat(presence.targets("orders")).contains(List.of("C"));
  }

  @Test
  void registration_countsFromItsEpoch() {
    alive("B");
    presence.announced("B", whole(1));
    presence.registered("B", "orders", 4);
    assertThat(presence.targets("orders")).contains(List.of("B"));
    presence.deregistered("B", "orders", 3);
    assertThat(presence.targets("orders")).contains(List.of("B"));
    presence.announced("B", whole(3));
    assertThat(presence.targets("orders")).contains(List.of("B"));
    presence.deregistered("B", "orders", 5);
    assertThat(presence.targets("orders")).contains(List.of());
    presence.registered("B", "orders", 4);
    assertThat(presence.targets("orders")).contains(List.of());
  }

  @Test
  void lostRegistrationAndDeregistration_healWithTheNextList() {
    alive("B");
    presence.announced("B", whole(1, "old"));
    presence.announced("B", whole(3, "new"));
    assertThat(presence.targets("old")).contains(List.of());
    assertThat(presence.targets("new")).contains(List.of("B"));
  }

  @Test
  void listInParts_countsWhenAllOfThemHaveCome_fromWhicheverRound() {
    alive("B");
    presence.announced("B", new PresencePart(7, 0, 3, List.of("a")));
    presence.announced("B", new PresencePart(7, 2, 3, List.of("c")));
    assertThat(presence.targets("x")).contains(List.of("B"));
    presence.announced("B", new PresencePart(7, 0, 3, List.of("a")));
    presence.announced("B", new PresencePart(7, 1, 3, List.of("b")));
    assertThat(presence.targets("x")).contains(List.of());
    assertThat(presence.targets("a")).contains(List.of("B"));
    assertThat(presence.targets("b")).contains(List.of("B"));
    assertThat(presence.targets("c")).contains(List.of("B"));
  }

  @Test
  void listTooLongToTell_meansEverything() {
    alive("B");
    presence.announced("B", whole(1));
    presence.announced("B", new PresencePart(2, 0, 0, List.of()));
    assertThat(presence.targets("orders")).contains(List.of("B"));
  }

  @Test
  void droppedServer_isUnknownAgain() {
    alive("B");
    presence.announced("B", whole(9));
    presence.drop("B");
    assertThat(presence.targets("orders")).contains(List.of("B"));
    presence.announced("B", whole(1, "mails"));
    assertThat(presence.targets("orders")).contains(List.of());
  }

  @Test
  void pollsInALoop_areOneRegistration() {
    assertThat(local.began("orders")).isTrue();
    for (int i = 0; i < 10; i++) {
      local.ended("orders");
      clock.advance(1999);
      assertThat(local.expire()).isEmpty();
      assertThat(local.began("orders")).isFalse();
    }
    assertThat(local.began("orders")).isFalse();
    local.ended("orders");
    clock.advance(100_000);
    assertThat(local.expire()).isEmpty();
    local.ended("orders");
    clock.advance(2000);
    assertThat(local.expire()).containsExactly("orders");
    assertThat(local.expire()).isEmpty();
    assertThat(local.began("orders")).isTrue();
  }

  @Test
  void endWithoutBegin_isIgnored() {
    local.ended("orders");
    assertThat(local.expire()).isEmpty();
    assertThat(local.began("orders")).isTrue();
    local.ended("orders");
    local.ended("orders");
    assertThat(local.began("orders")).isFalse();
    local.ended("orders");
    clock.advance(2000);
    assertThat(local.expire()).containsExactly("orders");
  }

  @Test
  void largeList_isCutIntoPackets_andPutTogetherAgain() {
    IntStream.range(0, 3000).forEach(i -> local.began("a-queue-with-some-name-" + i));
    local.nextEpoch();
    List<PresencePart> parts = local.parts();
    assertThat(parts).hasSizeGreaterThan(50);
    alive("B");
    parts.forEach(part -> presence.announced("B", part));
    assertThat(presence.targets("a-queue-with-some-name-2999")).contains(List.of("B"));
    assertThat(presence.targets("another")).contains(List.of());
    assertThat(presence.statistics().queuesTracked()).isEqualTo(3000);
  }

  @Test
  void listThatIsTooLong_isNotTold() {
    String name = "x".repeat(240);
    IntStream.range(0, 6000).forEach(i -> local.began(name + i));
    assertThat(local.parts()).containsExactly(new PresencePart(0, 0, 0, List.of()));
  }

  private void alive(String... servers) {
    for (String server : servers) {
      assertThat(health.heard(server, "s")).isTrue();
      health.heartbeat(server, false);
    }
  }

  private static PresencePart whole(long epoch, String... queues) {
    return new PresencePart(epoch, 0, 1, List.of(queues));
  }

  private record Unmoved() implements ServerHealth.Listener {
    @Override
    public void died(String server) {}

    @Override
    public void restarted(String server) {}
  }
}
