package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sharedstate.LossyNetwork.Broker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The lies that other tests rely on are lies. */
class LyingLinkTest {
  private static final UUID ID = new UUID(7, 8);
  private final LossyNetwork network = new LossyNetwork(1);
  private final Broker liar = network.start("A", "1", Map.of(), LyingLink::new);
  private final Broker victim = network.start("B", "1", Map.of());

  @Test
  void everyHint_isWrong() {
    liar.state().waitingBegan("orders");
    network.rounds(6);
    assertThat(victim.state().presence().targets("orders")).contains(List.of());
    assertThat(victim.state().presence().targets("nobody's queue")).isPresent();
    liar.state().messagesAvailable("orders", List.of(new PartitionRef("p", Optional.of(ID))));
    network.settle();
    assertThat(victim.heard()).noneMatch(line -> line.contains(" orders/p"));
    liar.state().leaseReleased("orders", ID, "g");
    liar.state().flush();
    network.settle();
    victim.state().queueChanged("orders", 1);
    liar.state().queueChanged("orders", 2);
    network.settle();
    assertThat(victim.state().versions().version("orders")).isEmpty();
  }

  @Test
  void freePartitions_areSaidToBeLeased() {
    victim.state().waitingBegan("orders");
    network.rounds(6);
    liar.state().leaseAcquired("orders", ID, "g", Duration.ofMinutes(5));
    liar.state().flush();
    network.settle();
    assertThat(victim.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    liar.state().leaseReleased("orders", ID, "g");
    liar.state().flush();
    network.settle();
    assertThat(victim.state().likelyLeasedElsewhere(ID, "g")).isTrue();
  }

  @Test
  void ghost_isBelieved() {
    Liar ghost = new Liar(victim.state());
    ghost.leased("orders", "g", List.of(ID));
    assertThat(victim.state().likelyLeasedElsewhere(ID, "g")).isTrue();
    ghost.wrongId("orders", "p");
    assertThat(victim.state().partitionIds().get("orders", "p")).isPresent();
    ghost.nothingThere("orders");
    assertThat(victim.heard()).hasSize(1);
    ghost.gone("orders");
    assertThat(victim.state().likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(victim.state().partitionIds().get("orders", "p")).isEmpty();
  }
}
