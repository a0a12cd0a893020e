package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls as large as calls get. */
@ExtendWith(PostgresExtension.class)
class LargeCallsIT {
  LargeCallsIT() {}

  @Test
  void tenThousandRequests_areServedInOneCall(TestDatabase database) {
    try (TestStore broker = TestStore.migrated(database)) {
      serveAll(broker);
    }
  }

  private static void serveAll(TestStore broker) {
    int count = 10_000;
    List<Message> messages = new ArrayList<>();
    List<PopRequest> pops = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(broker.message("many", "p" + i % 1000, "m" + i));
    }
    assertThat(await(broker.store().push(messages)))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PushOutcome.Queued.class));
    for (int i = 0; i < count; i++) {
      pops.add(request("p" + i % 1000, "g" + i / 1000));
    }
    List<PopOutcome> popped = await(broker.store().pop(pops));
    List<Ack> acks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PartitionBatch batch = ((PopOutcome.Served) popped.get(i)).batches().get(0);
      assertThat(batch.messages()).hasSize(10);
      acks.add(
          broker.status(
              batch,
              "g" + i / 1000,
              batch.messages().get(i % 10).transactionId(),
              AckStatus.COMPLETED));
    }
    assertThat(await(broker.store().ack(acks)))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(AckOutcome.Applied.class));
  }

  private static PopRequest request(String partition, String group) {
    return new PopRequest(
        new PopTarget.Named("many", partition), group, 100, 1, false, new Subscription.All());
  }
}
