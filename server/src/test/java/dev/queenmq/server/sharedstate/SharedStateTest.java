package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sharedstate.LossyNetwork.Broker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedStateTest {
  private static final UUID ID = new UUID(5, 6);
  private static final List<PartitionRef> P = List.of(new PartitionRef("p", Optional.of(ID)));
  private static final Duration LEASE = Duration.ofMinutes(5);

  private final Map<String, Long> database = new HashMap<>();
  private final LossyNetwork network = new LossyNetwork(1);
  private final Broker a = network.start("A", "1", database);
  private final Broker b = network.start("B", "1", database);
  private final Broker c = network.start("C", "1", database);

  @Test
  void notifications_goOnlyToBrokersWithConsumers() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    network.delivered().clear();
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(network.delivered()).containsExactly("A B 1");
    assertThat(b.heard()).containsExactly("available orders/p " + ID);
    assertThat(c.heard()).isEmpty();
    a.state().messagesAvailable("mails", P);
    network.settle();
    assertThat(network.delivered()).hasSize(1);
    assertThat(a.state().statistics().consumerPresence().notificationsTargeted()).isEqualTo(1);
  }

  @Test
  void notifications_goToAll_whileNothingIsKnown() {
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(b.heard()).hasSize(1);
    assertThat(c.heard()).hasSize(1);
    assertThat(a.heard()).isEmpty();
    assertThat(a.state().statistics().consumerPresence().notificationsBroadcast()).isEqualTo(1);
  }

  @Test
  void notifications_ofManyPartitions_takeFewPackets() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    network.delivered().clear();
    a.state()
        .messagesAvailable(
            "orders",
            IntStream.range(0, 100)
                .mapToObj(i -> new PartitionRef("customer-" + i, Optional.empty()))
                .toList());
    network.settle();
    assertThat(network.delivered()).hasSizeLessThanOrEqualTo(2);
    assertThat(b.heard()).hasSize(100);
  }

  @Test
  @DisplayName(
      "Consumer presence, cache says Only Server B, reality is Server B + C: notify B, C missed, C"
          + " polls via backoff")
  void consumerPresence_onlyServerBButAlsoC_cLearnsByItself_andIsToldFromTheNextHeartbeatOn() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    network.loses(1);
    c.state().waitingBegan("orders");
    network.settle();
    network.loses(0);
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(c.heard()).isEmpty();
    network.rounds(1);
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(c.heard()).hasSize(1);
  }

  @Test
  @DisplayName(
      "Consumer presence, cache says Server B, C, reality is Only Server B: notify both, C ignores")
  void consumerPresence_serverBAndCButOnlyB_cIsToldInVain_untilTheNextHeartbeat() {
    b.state().waitingBegan("orders");
    c.state().waitingBegan("orders");
    network.rounds(6);
    c.state().waitingEnded("orders");
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(c.heard()).hasSize(1);
    network.rounds(3);
    a.state().messagesAvailable("orders", P);
    network.settle();
    assertThat(c.heard()).hasSize(1);
    assertThat(b.heard()).hasSize(2);
  }

  @Test
  void consumerPresence_ofThousandQueues_getsThroughALossyNetwork() {
    network.rounds(6);
    network.loses(0.5);
    IntStream.range(0, 1000).forEach(i -> b.state().waitingBegan("queue-" + i));
    network.rounds(30);
    // Now and then five in a row are lost, and B is thought dead.
    network.loses(0);
    network.rounds(1);
    assertThat(a.state().statistics().consumerPresence().queuesTracked()).isEqualTo(1000);
    assertThat(a.state().presence().targets("queue-999")).contains(List.of("B"));
    assertThat(a.state().presence().targets("another")).contains(List.of());
    IntStream.range(0, 1000).forEach(i -> b.state().waitingEnded("queue-" + i));
    network.loses(0.5);
    network.rounds(10);
    network.loses(0);
    network.rounds(1);
    assertThat(a.state().statistics().consumerPresence().queuesTracked()).isZero();
  }

  @Test
  void queueChanges_areTold_andCascade() {
    network.rounds(6);
    a.state().queueChanged("orders", 1);
    network.settle();
    assertThat(a.state().versions().version("orders")).hasValue(1);
    assertThat(b.state().versions().version("orders")).hasValue(1);
    b.state().partitionIds().put("orders", "p", ID);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    c.state().waitingBegan("orders");
    b.state().waitingBegan("orders");
    network.settle();
    a.state().flush();
    network.settle();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isTrue();
    c.state().queueDeleted("orders", 2);
    network.settle();
    assertThat(b.state().versions().version("orders")).isEmpty();
    assertThat(b.state().partitionIds().get("orders", "p")).isEmpty();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(b.heard()).containsExactly("changed orders", "deleted orders");
    assertThat(c.heard()).containsExactly("changed orders");
  }

  @Test
  void queueChange_whosePacketsAreLost_isFoundByTheNextRefresh() {
    database.put("orders", 1L);
    network.rounds(1);
    a.heard().clear();
    b.heard().clear();
    network.loses(1);
    database.put("orders", 2L);
    a.state().queueChanged("orders", 2);
    network.settle();
    network.loses(0);
    network.rounds(59);
    assertThat(b.heard()).isEmpty();
    network.rounds(1);
    assertThat(b.heard()).containsExactly("changed orders");
    assertThat(a.heard()).as("who changed it").isEmpty();
    network.rounds(60);
    assertThat(b.heard()).hasSize(1);
  }

  @Test
  void queueChange_asOlderBrokersTellIt_isUnderstood() {
    network.rounds(1);
    byte[] withSettings =
        SyncMessageCodec.encode(
                new SyncMessage.QueueConfigSet("orders", Optional.of(Map.of("leaseTime", 30)), 7))
            .get(0);
    a.state().receive("B", "1", SyncMessage.QueueConfigSet.TYPE, withSettings);
    assertThat(a.heard()).containsExactly("changed orders");
    assertThat(a.state().versions().version("orders")).hasValue(7);
  }

  @Test
  void partitions_freeAndDeleted_areTold() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    b.state().partitionIds().put("orders", "p", ID);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().flush();
    network.settle();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isTrue();
    a.state().partitionFree("orders", "p", ID, "g");
    network.settle();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    a.state().partitionsDeleted("orders", List.of("p", "q"));
    network.settle();
    assertThat(b.state().partitionIds().get("orders", "p")).isEmpty();
    assertThat(b.heard())
        .containsExactly("free orders/p for g", "deleted orders/p", "deleted orders/q");
    assertThat(c.heard()).containsExactly("deleted orders/p", "deleted orders/q");
  }

  @Test
  void leaseThatEndsAtAnotherBroker_voidsTheHintEverywhere() {
    b.state().waitingBegan("orders");
    c.state().waitingBegan("orders");
    network.rounds(6);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().flush();
    network.settle();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isTrue();
    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).isTrue();

    b.state().leaseReleased("orders", ID, "g");
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).as("where it was acked").isFalse();
    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).as("not told yet").isTrue();

    b.state().flush();
    network.settle();
    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).as("told by another one").isFalse();
  }

  @Test
  void leases_areNotSent_withoutWaitingPolls() {
    network.rounds(6);
    network.delivered().clear();

    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().flush();
    b.state().leaseReleased("orders", ID, "g");
    b.state().partitionFree("orders", "p", ID, "g");
    b.state().flush();
    network.settle();

    assertThat(network.delivered()).isEmpty();
  }

  @Test
  void lease_thatEndedElsewhere_isNotSentByItsHolder_withoutPollsThere() {
    c.state().waitingBegan("orders");
    network.rounds(6);

    a.state().leaseAcquired("orders", ID, "g", LEASE);
    b.state().leaseReleased("orders", ID, "g");
    b.state().flush();
    network.settle();
    a.state().flush();
    network.settle();

    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).isFalse();
  }

  @Test
  void partitionFree_fromAnyBroker_dropsTheHint() {
    c.state().waitingBegan("orders");
    network.rounds(6);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().leaseAcquired("orders", ID, "h", LEASE);
    a.state().flush();
    network.settle();

    b.state().partitionFree("orders", "p", ID, "g");
    network.settle();

    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(c.state().likelyLeasedElsewhere(ID, "h")).as("another group's lease").isTrue();
  }

  @Test
  void leaseThatEndsElsewhere_beforeItIsTold_isNotTold() {
    a.state().waitingBegan("orders");
    c.state().waitingBegan("orders");
    network.rounds(6);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    b.state().partitionFree("orders", "p", ID, "g");
    network.settle();

    a.state().flush();
    network.settle();

    assertThat(c.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(a.state().statistics().traffic().leasesUntold()).isEqualTo(1);
  }

  @Test
  void movedGroup_isToldToThoseWhoWait_andVoidsAllHintsOnItsLeases() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().leaseAcquired("orders", ID, "h", LEASE);
    a.state().flush();
    network.settle();
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isTrue();

    c.state().groupMoved("orders", "g");
    network.settle();

    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(b.state().likelyLeasedElsewhere(ID, "h")).isTrue();
    assertThat(b.heard()).containsExactly("moved g on orders");
    assertThat(a.heard()).isEmpty();
  }

  @Test
  void stuckHintStarvation_holderCrashes_hintIsIgnored() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    a.state().leaseAcquired("orders", ID, "g", LEASE);
    a.state().flush();
    network.settle();
    network.crash("A");
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isTrue();
    network.rounds(5);
    assertThat(b.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(b.heard()).containsExactly("died A");
    assertThat(b.state().statistics().leaseHints().size()).isZero();
  }

  @Test
  void restart_dropsWhatTheOldSessionSaid() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    network.crash("B");
    Broker restarted = network.start("B", "2", database);
    network.rounds(1);
    assertThat(a.state().presence().targets("orders")).contains(List.of());
    restarted.state().waitingBegan("orders");
    network.settle();
    assertThat(a.state().presence().targets("orders")).contains(List.of("B"));
    assertThat(a.state().statistics().serverHealth().restartsDetected()).isEqualTo(1);
  }

  @Test
  void goodbye_isHeardAtOnce_andNothingAfterIt() {
    b.state().waitingBegan("orders");
    network.rounds(6);
    b.state().stopping();
    network.settle();
    assertThat(a.state().health().alive("B")).isFalse();
    assertThat(a.heard()).containsExactly("died B");
    network.delivered().clear();
    b.state().waitingBegan("mails");
    b.state().messagesAvailable("mails", P);
    b.state().tick();
    network.settle();
    assertThat(network.delivered()).isEmpty();
  }

  @Test
  void maintenance_isTold() {
    a.state().maintenanceSet(true, 10);
    a.state().popMaintenanceSet(true, 11);
    network.settle();
    assertThat(b.state().maintenance().maintenance()).isTrue();
    assertThat(b.heard()).containsExactly("maintenance true false", "maintenance true true");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void threeBrokers_overALossyNetwork_agreeInTheEnd(long seed) {
    LossyNetwork lossy = new LossyNetwork(seed);
    List<Broker> three =
        List.of(
            lossy.start("A", "1", database),
            lossy.start("B", "1", database),
            lossy.start("C", "1", database));
    lossy.loses(0.4);
    lossy.reorders(true);
    Random random = new Random(seed);
    for (int step = 0; step < 300; step++) {
      Broker one = three.get(random.nextInt(3));
      String queue = "q" + random.nextInt(200);
      switch (random.nextInt(4)) {
        case 0 -> {
          database.put(queue, (long) step);
          one.state().queueChanged(queue, step);
        }
        case 1 -> {
          database.remove(queue);
          one.state().queueDeleted(queue, step);
        }
        case 2 -> {
          one.state().waitingBegan(queue);
          if (random.nextBoolean()) {
            one.state().waitingEnded(queue);
          }
        }
        default -> lossy.rounds(1);
      }
    }
    three.get(2).state().waitingBegan("last");
    three.get(1).state().waitingBegan("last");
    lossy.rounds(70);
    lossy.loses(0);
    lossy.rounds(62);
    for (Broker broker : three) {
      for (int i = 0; i < 200; i++) {
        Long version = database.get("q" + i);
        assertThat(broker.state().versions().version("q" + i))
            .isEqualTo(version == null ? OptionalLong.empty() : OptionalLong.of(version));
      }
      assertThat(broker.state().health().living()).hasSize(2);
    }
    assertThat(three.get(0).state().presence().targets("last").orElseThrow())
        .containsExactlyInAnyOrder("B", "C");
    assertThat(three.get(0).state().presence().targets("never").orElseThrow()).isEmpty();
  }

  @Test
  void alone_remembersForItself_andRefreshesAllTheSame() {
    RecordingListener listener = new RecordingListener();
    ManualClock clock = new ManualClock();
    database.put("orders", 1L);
    SharedState alone =
        SharedState.alone(
            SharedStateOptions.defaults("me"), TestSurroundings.of(database, listener, clock));
    alone.tick();
    assertThat(alone.versions().version("orders")).hasValue(1);
    database.put("orders", 2L);
    clock.advance(59_999);
    alone.tick();
    assertThat(alone.versions().version("orders")).hasValue(1);
    clock.advance(1);
    alone.tick();
    assertThat(alone.versions().version("orders")).hasValue(2);
    alone.waitingBegan("orders");
    alone.messagesAvailable("orders", P);
    alone.leaseAcquired("orders", ID, "g", LEASE);
    alone.receive("B", "1", 40, new byte[0]);
    alone.queueDeleted("orders");
    assertThat(alone.versions().version("orders")).isEmpty();
    assertThat(alone.likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(alone.statistics().enabled()).isFalse();
    alone.stopping();
  }

  @Test
  void failingLoaderAndListener_affectNothingElse() {
    ManualClock clock = new ManualClock();
    SharedState state =
        SharedState.withPeers(
            SharedStateOptions.defaults("me"),
            new SyncLink() {
              @Override
              public boolean send(String serverId, int type, byte[] payload) {
                throw new IllegalStateException("no network");
              }

              @Override
              public void broadcast(int type, byte[] payload) {
                throw new IllegalStateException("no network");
              }
            },
            new Environment(
                () -> CompletableFuture.failedFuture(new IllegalStateException("no database")),
                () -> {
                  throw new IllegalStateException("no database");
                },
                new FailingListener(),
                clock));
    state.tick();
    state.messagesAvailable("orders", P);
    state.queueChanged("orders", 1);
    byte[] news = SyncMessageCodec.encode(new SyncMessage.MessageAvailable("orders", P)).get(0);
    state.receive("B", "1", 1, news);
    state.receive("B", "1", 1, new byte[] {1, 2, 3});
    state.receive("B", "1", 77, news);
    assertThat(state.refresh().toCompletableFuture()).isCompleted();
    assertThat(state.statistics().traffic())
        .isEqualTo(new SharedStateStatistics.Traffic(2, 3, 1, 2, 0));
  }

  @Test
  void statistics_bearTheNamesThatOperatorsKnow() {
    a.state().queueChanged("orders", 1);
    Map<String, Object> fields = a.state().statistics().fields();
    assertThat(fields)
        .containsEntry("enabled", true)
        .containsEntry("running", true)
        .containsEntry("server_id", "A")
        .containsEntry("maintenance_mode", false)
        .containsEntry("pop_maintenance_mode", false);
    assertThat(fields.get("queue_config_cache"))
        .isEqualTo(Map.of("size", 1L, "hits", 0, "misses", 0, "hit_rate", 0.0));
    assertThat(names(fields, "consumer_presence"))
        .contains(
            "queues_tracked",
            "servers_tracked",
            "notifications_targeted",
            "notifications_broadcast");
    assertThat(names(fields, "partition_id_cache"))
        .contains("size", "max_size", "hits", "misses", "evictions");
    assertThat(names(fields, "lease_hints"))
        .contains("size", "hints_used", "hints_wrong", "accuracy");
    assertThat(names(fields, "server_health"))
        .contains(
            "servers_tracked",
            "servers_alive",
            "servers_dead",
            "heartbeats_received",
            "restarts_detected",
            "last_heartbeat");
  }

  private static List<String> names(Map<String, Object> fields, String of) {
    return fields.get(of) instanceof Map<?, ?> part
        ? part.keySet().stream().map(String::valueOf).toList()
        : List.of();
  }
}
