package dev.queenmq.server.http.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.StoredObjects;
import dev.queenmq.server.config.BoundsConfig;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectBoundsTest {
  private final AtomicLong clock = new AtomicLong();
  private final Store store = new Store();

  /** A store that creates what is pushed to, and says how often it was asked. */
  private static final class Store implements StoredObjects {
    final Set<PartitionName> names = new HashSet<>();
    final Set<String> groups = new HashSet<>();
    int counted;
    int asked;
    boolean away;

    @Override
    public Future<Counts> counts() {
      counted++;
      return Future.succeededFuture(
          new Counts(
              names.stream().map(PartitionName::queue).distinct().count(),
              names.size(),
              groups.size()));
    }

    @Override
    public Future<List<Presence>> presence(List<PartitionName> wanted) {
      asked++;
      if (away) {
        return Future.failedFuture("away");
      }
      return Future.succeededFuture(
          wanted.stream()
              .map(
                  name ->
                      new Presence(
                          names.stream().anyMatch(each -> each.queue().equals(name.queue())),
                          names.contains(name)))
              .toList());
    }

    @Override
    public Future<Boolean> hasGroup(
        Optional<String> queue, Optional<String> partition, String group) {
      asked++;
      return Future.succeededFuture(groups.contains(group));
    }

    Future<List<PushOutcome>> push(List<Message> messages) {
      List<PushOutcome> outcomes = new ArrayList<>();
      for (Message message : messages) {
        boolean fresh = names.add(PartitionName.of(message));
        outcomes.add(
            new PushOutcome.Queued(message.id(), UUID.randomUUID(), fresh ? 0 : 1, Instant.EPOCH));
      }
      return Future.succeededFuture(outcomes);
    }
  }

  private ObjectBounds bounds(boolean create, int queues, int partitions, int groups) {
    return new ObjectBounds(
        new BoundsConfig(create, queues, partitions, groups, 0, 0, 0), store, clock::get);
  }

  private List<Boolean> push(ObjectBounds bounds, String... places) {
    List<Message> messages = new ArrayList<>();
    for (String place : places) {
      String[] parts = place.split("/", -1);
      messages.add(Message.of(parts[0], parts[1], UUID.randomUUID(), "t", "1"));
    }
    return bounds.push(messages, null, store::push).result().stream()
        .map(PushOutcome.Queued.class::isInstance)
        .toList();
  }

  private static Future<Void> asked(@Nullable Future<Void> check) {
    return Objects.requireNonNull(check, "the store must be asked");
  }

  @Test
  void whileThereIsRoom_nothingIsAsked() {
    ObjectBounds bounds = bounds(true, 100, 100, 100);
    for (int i = 0; i < 20; i++) {
      push(bounds, "q/" + i);
    }
    assertThat(store.asked).isZero();
    assertThat(store.counted).isEqualTo(1);
    clock.addAndGet(Duration.ofSeconds(ObjectBounds.COUNT_SECONDS).toNanos());
    push(bounds, "q/1");
    push(bounds, "q/1");
    assertThat(store.counted).isEqualTo(2);
    clock.addAndGet(Duration.ofHours(1).toNanos());
    push(bounds, "q/1");
    assertThat(store.counted).as("nothing was created").isEqualTo(2);
  }

  @Test
  void whatHasNoRoom_isRefused_andItsNeighboursAreNot() {
    ObjectBounds bounds = bounds(true, 2, 3, 0);
    assertThat(push(bounds, "a/1", "b/1", "c/1", "a/1")).containsExactly(true, true, false, true);
    assertThat(push(bounds, "a/1", "a/2", "a/3")).containsExactly(true, true, false);
    assertThat(push(bounds, "b/1")).containsExactly(true);
  }

  @Test
  void afterADeletion_thereIsRoomAgain() {
    ObjectBounds bounds = bounds(true, 1, 0, 0);
    assertThat(push(bounds, "a/1")).containsExactly(true);
    assertThat(push(bounds, "b/1")).containsExactly(false);
    store.names.clear();
    bounds.deleted("a");
    assertThat(push(bounds, "b/1")).containsExactly(true);
  }

  @Test
  void withoutCreationByPush_onlyWhatExistsIsPushedTo() {
    store.names.add(new PartitionName("a", "Default"));
    ObjectBounds bounds = bounds(false, 0, 0, 0);
    assertThat(push(bounds, "a/1", "b/1")).containsExactly(true, false);
    int asked = store.asked;
    assertThat(push(bounds, "a/2")).containsExactly(true);
    assertThat(store.asked).as("remembered for a moment").isEqualTo(asked);
    store.away = true;
    assertThat(push(bounds, "c/1")).as("goes to the spool").containsExactly(true);
  }

  @Test
  void groups_areBounded_exceptThoseThatExistAndPlainQueueMode() {
    ObjectBounds bounds = bounds(true, 0, 0, 2);
    PollTarget queue = new PollTarget.Queue("q");
    assertThat(bounds.group(queue, "g1", Optional.empty())).isNull();
    assertThat(bounds.group(queue, "g1", Optional.empty())).isNull();
    assertThat(bounds.group(new PollTarget.Partition("q", "p"), "g1", Optional.empty())).isNull();
    assertThat(asked(bounds.group(queue, "g2", Optional.empty())).failed()).isTrue();
    assertThat(bounds.group(queue, AckDraft.QUEUE_MODE, Optional.empty())).isNull();
    store.groups.add("g3");
    assertThat(asked(bounds.group(queue, "g3", Optional.empty())).succeeded()).isTrue();
    assertThat(bounds.group(queue, "g3", Optional.empty())).isNull();
  }
}
