package dev.queenmq.server.store;

import static dev.queenmq.server.store.TestStore.transactionIds;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Acks by a transaction id that a partition holds more than once. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatedIdIT {
  private TestStore broker;

  RepeatedIdIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    broker.close();
  }

  @Test
  void ack_reachesTheNextMessage_whenTheFirstWithItsIdIsDone() {
    PartitionBatch batch = delivered("separately", "a", "a", "b");

    broker.ack(batch, "g", "a", AckStatus.COMPLETED);
    broker.ack(batch, "g", "a", AckStatus.COMPLETED);
    broker.ack(batch, "g", "b", AckStatus.RETRY);

    assertThat(transactionIds(broker.pop("separately", "p", "g", 10))).containsExactly("b");
  }

  @Test
  void ack_withALostLease_doesNotSpeakForTheOneAfterIt() {
    PartitionBatch batch = delivered("lost", "a", "b", "a");
    Ack good = broker.status(batch, "g", "a", AckStatus.COMPLETED);
    Ack lost =
        new Ack(
            good.partitionId(),
            "g",
            good.message(),
            Optional.of(new UUID(1, 1)),
            AckStatus.COMPLETED,
            Optional.empty());

    await(broker.store().ack(List.of(lost, good)));
    broker.ack(batch, "g", "b", AckStatus.RETRY);

    assertThat(transactionIds(broker.pop("lost", "p", "g", 10))).containsExactly("b", "a");
  }

  @Test
  void ack_withoutALeaseSaidAgain_doesNotCompleteANewerMessage() {
    PartitionBatch batch = delivered("again", "a", "b");
    Ack status =
        new Ack(
            batch.partitionId(),
            "g",
            new MessageRef.ByTransactionId("b"),
            Optional.empty(),
            AckStatus.COMPLETED,
            Optional.empty());
    await(broker.store().ack(List.of(status)));
    broker.ack(batch, "g", "a", AckStatus.RETRY);
    broker.push("again", "p", "b");

    await(broker.store().ack(List.of(status)));

    assertThat(transactionIds(broker.pop("again", "p", "g", 10))).containsExactly("a", "b");
  }

  private PartitionBatch delivered(String queue, String... transactionIds) {
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", 0));
    broker.push(queue, "p", transactionIds);
    return broker.pop(queue, "p", "g", 10).batches().get(0);
  }
}
