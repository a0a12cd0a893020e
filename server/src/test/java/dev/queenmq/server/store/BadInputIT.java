package dev.queenmq.server.store;

import static dev.queenmq.server.store.TestStore.transactionIds;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** One bad request among good ones: it is told what is wrong, and they are served. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("oldest-postgres")
class BadInputIT {
  private static final String TOO_LONG = "x".repeat(256);
  private static final String LONGEST = "😀".repeat(255);

  private TestStore broker;

  BadInputIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    broker.close();
  }

  @Test
  void push_rejectsOnlyWhatIsBad() {
    List<Message> messages =
        List.of(
            broker.message("bad", "p", "first"),
            broker.message(TOO_LONG, "p", "a"),
            broker.message("bad", TOO_LONG, "a"),
            broker.message("bad", "p", TOO_LONG),
            broker.message("", "p", "a"),
            broker.message("bad", "", "a"),
            broker.message("bad", "p", ""),
            broker.message("b\0d", "p", "a"),
            broker.message("#deleted-1", "p", "a"),
            broker.message("bad", "p", "n\0l"),
            Message.of("bad", "p", broker.nextId(), "payload", "\"\0\""),
            Message.of("bad", "p", broker.nextId(), "half", "\"\ud83d\""),
            broker.message("bad", LONGEST, LONGEST),
            broker.message("bad", "p", "last"));

    List<PushOutcome> outcomes = await(broker.store().push(messages));

    assertThat(outcomes.get(0)).isInstanceOf(PushOutcome.Queued.class);
    assertThat(outcomes.subList(1, 12))
        .extracting(outcome -> ((PushOutcome.Rejected) outcome).problem().text())
        .containsExactly(
            "queue is longer than 255 characters",
            "partition is longer than 255 characters",
            "transactionId is longer than 255 characters",
            "queue must not be empty",
            "partition must not be empty",
            "transactionId must not be empty",
            "queue contains the character NUL",
            "queue must not begin with #deleted-",
            "transactionId contains the character NUL",
            "payload contains the character NUL",
            "payload contains half a surrogate pair");
    assertThat(outcomes.subList(12, 14))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PushOutcome.Queued.class));
    assertThat(transactionIds(broker.pop("bad", "p", "g", 10))).containsExactly("first", "last");
    assertThat(transactionIds(broker.pop("bad", LONGEST, LONGEST, 10))).containsExactly(LONGEST);
  }

  @Test
  void pop_rejectsOnlyWhatIsBad_andPassesUnknownPartitions() {
    broker.push("badpop", "p", "a");
    List<PopOutcome> outcomes =
        await(
            broker
                .store()
                .pop(
                    List.of(
                        request("badpop", TOO_LONG, "g", 1),
                        request("badpop", "p", "g", 0),
                        request("badpop", "p", "", 1),
                        request("badpop", "nowhere", "g", 1),
                        new PopRequest(
                            new PopTarget.Candidates(Optional.empty(), List.of(UUID.randomUUID())),
                            "g",
                            1,
                            1,
                            false,
                            new Subscription.All()),
                        request("badpop", "p", "g", 1))));

    assertThat(outcomes.subList(0, 3))
        .extracting(outcome -> ((PopOutcome.Rejected) outcome).problem().text())
        .containsExactly(
            "partition is longer than 255 characters",
            "batch must be at least 1",
            "consumerGroup must not be empty");
    assertThat(outcomes.subList(3, 5))
        .allSatisfy(
            outcome ->
                assertThat(((PopOutcome.Served) outcome).passed())
                    .extracting(SkippedPartition::reason)
                    .containsExactly(SkippedPartition.Reason.MISSING));
    assertThat(transactionIds((PopOutcome.Served) outcomes.get(5))).containsExactly("a");
  }

  @Test
  void ack_failsOnlyWhatIsBad() {
    broker.push("badack", "p", "a", "b");
    broker.push("badack", "q", "c");
    PartitionBatch p = broker.pop("badack", "p", "g", 10).batches().get(0);
    PartitionBatch q = broker.pop("badack", "q", "g", 10).batches().get(0);

    List<AckOutcome> outcomes =
        await(
            broker
                .store()
                .ack(
                    List.of(
                        broker.status(p, "g", "a", AckStatus.COMPLETED),
                        ack(p.partitionId(), q.lease(), new MessageRef.ByTransactionId("b")),
                        ack(UUID.randomUUID(), p.lease(), new MessageRef.ByTransactionId("b")),
                        ack(p.partitionId(), p.lease(), new MessageRef.ByOffset(99)),
                        ack(p.partitionId(), p.lease(), new MessageRef.ByOffset(-1)),
                        ack(p.partitionId(), p.lease(), new MessageRef.ByTransactionId("none")),
                        ack(p.partitionId(), p.lease(), new MessageRef.ByTransactionId("n\0l")),
                        broker.status(p, "g", "b", AckStatus.COMPLETED),
                        broker.status(q, "g", "c", AckStatus.COMPLETED))));

    assertThat(outcomes.get(0)).isInstanceOf(AckOutcome.Applied.class);
    assertThat(outcomes.subList(1, 6))
        .extracting(outcome -> ((AckOutcome.Failed) outcome).reason())
        .containsExactly(
            AckOutcome.Reason.LEASE_LOST,
            AckOutcome.Reason.MESSAGE_NOT_FOUND,
            AckOutcome.Reason.MESSAGE_NOT_FOUND,
            AckOutcome.Reason.MESSAGE_NOT_FOUND,
            AckOutcome.Reason.MESSAGE_NOT_FOUND);
    assertThat(outcomes.get(6)).isInstanceOf(AckOutcome.Rejected.class);
    assertThat(outcomes.subList(7, 9))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(AckOutcome.Applied.class));
    assertThat(
            broker
                .database()
                .value(
                    "select count(*) from queen.cursors where consumer_group = 'g' and lease_id is"
                        + " not null and partition_id in ('"
                        + p.partitionId()
                        + "', '"
                        + q.partitionId()
                        + "')"))
        .isEqualTo(0L);
  }

  @Test
  void emptyBatches_areAnswered() {
    assertThat(await(broker.store().push(List.of()))).isEmpty();
    assertThat(await(broker.store().pop(List.of()))).isEmpty();
    assertThat(await(broker.store().ack(List.of()))).isEmpty();
    assertThat(await(broker.store().renew(List.of()))).isEmpty();
    assertThat(await(broker.store().configure(List.of()))).isEmpty();
    assertThat(await(broker.store().deleteQueues(List.of()))).isEmpty();
    assertThat(await(broker.store().transaction(new Transaction(List.of(), List.of()))))
        .isInstanceOf(TransactionOutcome.RolledBack.class);
  }

  @Test
  void otherOperations_sayWhatIsWrong() {
    assertThat(
            await(
                broker
                    .store()
                    .renew(
                        List.of(
                            new Renewal(UUID.randomUUID(), Duration.ofSeconds(-1)),
                            new Renewal(UUID.randomUUID(), Duration.ofSeconds(1))))))
        .hasExactlyElementsOfTypes(RenewOutcome.Rejected.class, RenewOutcome.Missing.class);
    assertThat(
            await(
                broker
                    .store()
                    .seek(new Seek("unknown", Optional.empty(), "g", new Seek.Position.End()))))
        .isInstanceOf(SeekOutcome.NotFound.class);
    assertThat(
            await(
                broker
                    .store()
                    .configure(
                        List.of(
                            new QueueConfiguration(
                                "cfg",
                                Optional.empty(),
                                Optional.empty(),
                                QueueOptions.of(new JsonObject().put("leaseTime", -1)),
                                false),
                            new QueueConfiguration(
                                "cfg",
                                Optional.empty(),
                                Optional.empty(),
                                QueueOptions.of(new JsonObject().put("leaseTime", 7)),
                                false)))))
        .hasExactlyElementsOfTypes(
            ConfigureOutcome.Rejected.class, ConfigureOutcome.Configured.class);
    assertThat(await(broker.store().deleteQueues(List.of("", "cfg", "cfg2"))))
        .containsExactly(
            new DeleteOutcome.Rejected(new Problem("queue must not be empty")),
            new DeleteOutcome.Deleted(true),
            new DeleteOutcome.Deleted(false));
  }

  private static PopRequest request(String queue, String partition, String group, int batch) {
    return new PopRequest(
        new PopTarget.Named(queue, partition), group, batch, 1, false, new Subscription.All());
  }

  private static Ack ack(UUID partitionId, Optional<Lease> lease, MessageRef message) {
    return new Ack(
        partitionId, "g", message, lease.map(Lease::id), AckStatus.COMPLETED, Optional.empty());
  }
}
