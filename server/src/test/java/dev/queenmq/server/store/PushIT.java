package dev.queenmq.server.store;

import static dev.queenmq.server.store.TestStore.transactionIds;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PushIT {
  private TestStore broker;

  PushIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    broker.close();
  }

  @Test
  void push_givesDenseOffsets_acrossCallsAndSegments() {
    String[] many = IntStream.range(0, 1000).mapToObj(i -> "m" + i).toArray(String[]::new);
    List<PushOutcome> outcomes = broker.push("dense", "p", many);

    assertThat(outcomes)
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PushOutcome.Queued.class))
        .extracting(outcome -> ((PushOutcome.Queued) outcome).offset())
        .containsExactlyElementsOf(IntStream.range(0, 1000).mapToObj(Long::valueOf).toList());
    assertThat(broker.push("dense", "p", "next").get(0))
        .extracting(outcome -> ((PushOutcome.Queued) outcome).offset())
        .isEqualTo(1000L);
    assertThat(broker.database().value("select max(message_count) from queen.segments"))
        .isEqualTo(256);
    assertThat(transactionIds(broker.pop("dense", "p", "g", 2000)))
        .startsWith("m0", "m1", "m2")
        .endsWith("m998", "m999", "next")
        .hasSize(1001);
  }

  @Test
  void push_answersDuplicateWithTheFirstId_withinTheCallAndAcrossCallsAndBrokers() {
    UUID first = queued(broker.push("dup", "p", "a", "b").get(0)).messageId();

    assertThat(broker.push("dup", "p", "a").get(0)).isEqualTo(duplicate(first, broker, "dup"));
    List<PushOutcome> mixed = broker.push("dup", "p", "c", "a", "d", "c");
    UUID third = queued(mixed.get(0)).messageId();
    assertThat(mixed.get(1)).isEqualTo(duplicate(first, broker, "dup"));
    assertThat(queued(mixed.get(2)).offset()).isEqualTo(3);
    assertThat(mixed.get(3)).isEqualTo(duplicate(third, broker, "dup"));
    try (TestStore other = broker.another()) {
      assertThat(other.push("dup", "p", "d", "e", "a").get(2))
          .isEqualTo(duplicate(first, broker, "dup"));
      assertThat(broker.push("dup", "p", "e").get(0)).isInstanceOf(PushOutcome.Duplicate.class);
      assertThat(other.push("dup", "q", "a").get(0)).isInstanceOf(PushOutcome.Queued.class);
    }
    assertThat(transactionIds(broker.pop("dup", "p", "g", 100)))
        .containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void push_storesRepeatedIds_whenTheQueueDoesNotDeduplicate() {
    broker.configure("nodup", new JsonObject().put("dedupWindowSeconds", 0));

    assertThat(broker.push("nodup", "p", "a", "a", "b", "a"))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PushOutcome.Queued.class));
    assertThat(broker.push("nodup", "p", "a", "a"))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PushOutcome.Queued.class));
    assertThat(transactionIds(broker.pop("nodup", "p", "g", 100)))
        .containsExactly("a", "a", "b", "a", "a", "a");
    broker.configure("nodup", new JsonObject());
    assertThat(broker.push("nodup", "p", "a", "z", "z"))
        .extracting(Object::getClass)
        .extracting(Class::getSimpleName)
        .containsExactly("Duplicate", "Queued", "Duplicate");
  }

  @Test
  void push_comparesTheWholeWindow_whenItKnowsNothingAndTheWindowIsLong() {
    String[] many = IntStream.range(0, 3000).mapToObj(i -> "m" + i).toArray(String[]::new);
    broker.push("recall", "p", many);
    StoreOptions small =
        new StoreOptions((short) 0, 256, 128 * 1024, 100, 10, 1_000_000, 1 << 20, true);
    try (TestStore other = broker.another(small);
        TestStore tiny =
            broker.another(
                new StoreOptions((short) 0, 256, 128 * 1024, 100, 10, 1000, 1 << 20, true))) {
      assertThat(other.push("recall", "p", "m17", "new1").get(0))
          .isInstanceOf(PushOutcome.Duplicate.class);
      assertThat(other.push("recall", "p", "m2999", "new1", "new2"))
          .extracting(outcome -> outcome.getClass().getSimpleName())
          .containsExactly("Duplicate", "Duplicate", "Queued");
      assertThat(tiny.push("recall", "p", "m0", "new2", "new3"))
          .extracting(outcome -> outcome.getClass().getSimpleName())
          .containsExactly("Duplicate", "Duplicate", "Queued");
    }
  }

  @Test
  void push_takesAnIdAgain_whenItsWindowIsOver_whoeverAppendedIt() {
    broker.configure("window", new JsonObject().put("dedupWindowSeconds", 60));
    broker.push("window", "p", "known");
    try (TestStore other = broker.another()) {
      other.push("window", "p", "unseen");
      broker
          .database()
          .query("update queen.segments set created_at = created_at - interval '60 seconds'");

      assertThat(broker.push("window", "p", "known", "unseen"))
          .extracting(outcome -> outcome.getClass().getSimpleName())
          .containsExactly("Queued", "Queued");
    }
  }

  @Test
  void push_stillKnowsWhatItKnew_whenItHasToReadWhatOthersAppended() {
    StoreOptions small =
        new StoreOptions((short) 0, 256, 128 * 1024, 5, 10, 1_000_000, 1 << 20, true);
    try (TestStore other = broker.another(small)) {
      other.push("behind", "p", "first", "second");
      broker.push("behind", "p", "a", "b", "c", "d", "e", "f");

      assertThat(other.push("behind", "p", "c", "first", "new"))
          .extracting(outcome -> outcome.getClass().getSimpleName())
          .containsExactly("Duplicate", "Duplicate", "Queued");
    }
  }

  @Test
  void push_keepsTheOrder_whenTheQueueNoLongerDeduplicates() {
    broker.push("order", "p", "first");
    broker.configure("order", new JsonObject().put("dedupWindowSeconds", 0));

    broker.push("order", "p", "a", "b", "a", "c");

    assertThat(transactionIds(broker.pop("order", "p", "g", 100)))
        .containsExactly("first", "a", "b", "a", "c");
  }

  @Test
  void push_startsOver_whenTheQueueWasDeletedUnderneath() {
    broker.push("gone", "p", "a");
    broker.database().query("delete from queen.queues where name = 'gone'");

    assertThat(queued(broker.push("gone", "p", "a").get(0)).offset()).isZero();
    assertThat(await(broker.store().sweepOrphans())).isPositive();
  }

  private static PushOutcome.Queued queued(PushOutcome outcome) {
    return (PushOutcome.Queued) outcome;
  }

  private static PushOutcome.Duplicate duplicate(UUID first, TestStore broker, String queue) {
    return new PushOutcome.Duplicate(
        first,
        (UUID)
            broker
                .database()
                .value(
                    "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where p.name = 'p' and q.name = '"
                        + queue
                        + "'"));
  }
}
