package dev.queenmq.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
  private final Vertx vertx = Vertx.vertx();

  DeliveriesTest() {}

  @AfterEach
  void end() {
    Blocking.get(vertx.close());
  }

  @Test
  void whatIsThere_isTakenByBatches() {
    Deliveries<Integer> deliveries = new Deliveries<>(vertx.getOrCreateContext(), 2, true);
    List.of(1, 2, 3).forEach(deliveries::add);

    assertThat(Blocking.get(deliveries.take())).containsExactly(1, 2);
    assertThat(Blocking.get(deliveries.take())).containsExactly(3);
  }

  @Test
  void waitingTaker_getsTheFirstMessage() {
    Deliveries<Integer> deliveries = new Deliveries<>(vertx.getOrCreateContext(), 100, true);
    Future<List<Integer>> taken = deliveries.take();
    deliveries.add(7);

    assertThat(Blocking.get(taken)).containsExactly(7);
  }

  @Test
  void batchThatDoesNotBecomeFull_isAnsweredAllTheSame() {
    Deliveries<Integer> full = new Deliveries<>(vertx.getOrCreateContext(), 100, false);
    full.add(7);

    assertThat(Blocking.get(full.take())).containsExactly(7);
    // Also single messages of a lane that is empty: else a worker would wait for ever.
    Deliveries<Integer> single = new Deliveries<>(vertx.getOrCreateContext(), 1, false);
    assertThat(Blocking.get(single.take())).isEmpty();
  }

  @Test
  void clientThatDeliversOn_waitsForRoom() throws Exception {
    Deliveries<Integer> deliveries = new Deliveries<>(vertx.getOrCreateContext(), 2, true);
    Future<Boolean> all =
        vertx.executeBlocking(
            () -> {
              for (int i = 0; i < 5; i++) {
                deliveries.addWhenThereIsRoom(i);
              }
              return true;
            });

    List<Integer> taken = new ArrayList<>();
    while (taken.size() < 3) {
      assertThat(all.isComplete()).isFalse();
      List<Integer> batch = Blocking.get(deliveries.take());
      assertThat(batch).hasSizeBetween(1, 2);
      taken.addAll(batch);
    }
    Blocking.get(all);
    while (taken.size() < 5) {
      taken.addAll(Blocking.get(deliveries.take()));
    }
    assertThat(taken).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void close_endsAllWaits() {
    Deliveries<Integer> deliveries = new Deliveries<>(vertx.getOrCreateContext(), 100, true);
    Future<List<Integer>> taken = deliveries.take();
    deliveries.close();

    assertThat(Blocking.get(taken)).isEmpty();
    assertThat(Blocking.get(deliveries.take())).isEmpty();
  }

  @Test
  void confirmations_areCompleteWithTheLast_orFailWithTheFirst() {
    Confirmations confirmations = new Confirmations(vertx.getOrCreateContext(), 2);
    confirmations.confirmed();
    assertThat(confirmations.all().isComplete()).isFalse();
    confirmations.confirmed();
    assertThat(Blocking.get(confirmations.all())).isEqualTo(2);

    Confirmations refused = new Confirmations(vertx.getOrCreateContext(), 2);
    refused.failed(new IllegalStateException("refused"));
    refused.confirmed();
    assertThat(Blocking.get(refused.all().otherwise(-1))).isEqualTo(-1);
  }
}
