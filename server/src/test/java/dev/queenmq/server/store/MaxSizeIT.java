package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A queue never holds more than its maxSize, and what is in it is counted right. */
class MaxSizeIT extends MaxSizeFixture {
  @Test
  void itemsThatCameFirst_getTheRoom_andNoneFollowsARefusedOneOfItsPartition() {
    limit("order", 3);

    List<PushOutcome> outcomes =
        await(
            broker
                .store()
                .push(
                    List.of(
                        broker.message("order", "z", "1"),
                        broker.message("order", "a", "2"),
                        broker.message("order", "m", "3"),
                        broker.message("order", "a", "4"),
                        broker.message("order", "z", "5"))));

    assertThat(outcomes.subList(0, 3)).doesNotContain(FULL);
    assertThat(outcomes.subList(3, 5)).containsOnly(FULL);
    assertThat(broker.push("order", "a", "6")).containsExactly(FULL);
    assertThat(TestStore.transactionIds(broker.pop("order", "a", "g", 9))).containsExactly("2");
  }

  @Test
  void duplicates_needNoRoom_andRefusedOnesAreNoDuplicates() {
    limit("dup", 2);
    UUID first = ((PushOutcome.Queued) broker.push("dup", "p", "a", "b").get(0)).messageId();

    List<PushOutcome> outcomes = broker.push("dup", "p", "c", "a", "c", "c");

    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            PushOutcome.Duplicate.class,
            duplicate -> assertThat(duplicate.firstMessageId()).isEqualTo(first));
    assertThat(List.of(outcomes.get(0), outcomes.get(2), outcomes.get(3))).containsOnly(FULL);
    try (TestStore other = broker.another()) {
      assertThat(other.push("dup", "p", "c", "c", "b").subList(0, 2)).containsOnly(FULL);
    }
    takeAll("dup", "p", "g");
    assertThat(broker.push("dup", "p", "c").get(0)).isInstanceOf(PushOutcome.Queued.class);
    assertThat(broker.push("dup", "p", "c").get(0)).isInstanceOf(PushOutcome.Duplicate.class);
  }

  @Test
  void room_isWhatAllGroupsHaveDone_alsoOutOfOrder() {
    limit("groups", 4);
    broker.push("groups", "p", "1", "2", "3", "4");
    takeAll("groups", "p", "g");
    assertThat(full("groups", "p", "5")).isFalse();
    assertThat(depth("groups")).isEqualTo(1);

    PartitionBatch late = broker.pop("groups", "p", "h", 9).batches().get(0);
    assertThat(full("groups", "q", "6")).isTrue();
    broker.ack(late, "h", "3", AckStatus.COMPLETED);
    broker.ack(late, "h", "2", AckStatus.DLQ);
    assertThat(full("groups", "q", "7")).as("two are done by both, between others").isFalse();
    assertThat(full("groups", "q", "8")).isTrue();

    await(broker.store().deleteGroup(new GroupDeletion("h", Optional.of("groups"), true)));
    assertThat(full("groups", "q", "9")).as("only g counts now").isFalse();
    assertThat(depth("groups")).isEqualTo(3);
    await(
        broker
            .store()
            .seek(
                new Seek("groups", Optional.of("p"), "g", new Seek.Position.After(Instant.EPOCH))));
    assertThat(full("groups", "q", "10")).as("five are to be done again").isTrue();
  }

  @Test
  void removedMessages_giveRoom_andNewSubscribersTakeNone() {
    limit("removed", 2);
    broker.push("removed", "p", "1", "2");
    assertThat(full("removed", "p", "3")).isTrue();
    UUID partition =
        (UUID)
            broker
                .database()
                .value(
                    "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where q.name = 'removed' and p.name = 'p'");
    await(broker.store().dropSegments(partition, Instant.now().plusSeconds(60), 2, 10));
    assertThat(broker.push("removed", "p", "4", "5", "6"))
        .satisfies(outcomes -> assertThat(outcomes.get(2)).isEqualTo(FULL))
        .filteredOn(PushOutcome.Queued.class::isInstance)
        .hasSize(2);

    PopTarget anywhere = new PopTarget.Candidates(Optional.of("removed"), List.of());
    broker.pop(new PopRequest(anywhere, "n", 1, 1, false, new Subscription.New()));
    assertThat(broker.push("removed", "p", "7", "8", "9"))
        .as("a group that wants only what is new has done what is old")
        .filteredOn(PushOutcome.Queued.class::isInstance)
        .hasSize(2);
  }

  @Test
  void changedSettings_countAtOnce_alsoForWhatWasPushedWithoutALimit() {
    limit("changed", 3);
    broker.push("changed", "p", "1", "2");
    limit("changed", 0);
    broker.push("changed", "p", "3", "4", "5");
    limit("changed", 3);
    try (TestStore other = broker.another()) {
      assertThat(other.push("changed", "p", "6")).containsExactly(FULL);
      limit("changed", 6);
      assertThat(other.push("changed", "p", "6", "7").get(1)).isEqualTo(FULL);
    }
    assertThat(depth("changed")).isEqualTo(6);
  }

  @Test
  void aTransaction_isRefusedAsAWhole() {
    limit("tx", 2);
    broker.push("tx-in", "p", "job");
    PartitionBatch job = broker.pop("tx-in", "p", "g", 1).batches().get(0);
    Operation ack = new Operation.Acknowledge(broker.status(job, "g", "job", AckStatus.COMPLETED));

    TransactionOutcome refused =
        transaction(ack, push("tx", "1"), push("tx", "2"), push("tx", "3"));

    assertThat(refused)
        .isEqualTo(new TransactionOutcome.RolledBack(new TransactionOutcome.Cause.QueueFull(3)));
    assertThat(depth("tx")).isZero();
    assertThat(transaction(ack, push("tx", "1"), push("tx", "2")))
        .isInstanceOf(TransactionOutcome.Committed.class);
    assertThat(transaction(push("tx", "4")))
        .isEqualTo(new TransactionOutcome.RolledBack(new TransactionOutcome.Cause.QueueFull(0)));
  }

  @Test
  void aFullQueueOfManyPartitions_isNotMeasuredByEveryPush() {
    limit("wide", 1);
    broker.push("wide", "p", "1");
    broker.database().query("update queen.capacities set looked_at = 1000000");
    takeAll("wide", "p", PopRequest.QUEUE_MODE);

    assertThat(full("wide", "p", "2")).as("no look so soon").isTrue();
    broker
        .database()
        .query("update queen.capacities set measured_at = measured_at - interval '1 hour'");
    assertThat(full("wide", "p", "2")).isFalse();
  }

  @Test
  void queuesWithoutALimit_leaveNoTrace() {
    broker.push("unlimited", "p", "1", "2", "3");

    assertThat(
            broker
                .database()
                .value(
                    "select count(*) from queen.capacities c join queen.queues q on q.id ="
                        + " c.queue_id where q.name = 'unlimited'"))
        .isEqualTo(0L);
  }

  @Test
  void deletedQueues_takeTheirCountAlong() {
    limit("gone", 1);
    limit("gone-too", 1);
    broker.push("gone", "p", "1");
    broker.push("gone-too", "p", "1");
    await(broker.store().deleteQueues(List.of("gone")));
    broker.database().query("delete from queen.queues where name = 'gone-too'");
    await(broker.store().trimAnswers());

    assertThat(
            broker
                .database()
                .value(
                    "select count(*) from queen.capacities c"
                        + " where not exists (select from queen.queues q where q.id = c.queue_id)"))
        .isEqualTo(0L);
    limit("gone", 1);
    assertThat(full("gone", "p", "1")).isFalse();
  }

  private boolean full(String queue, String partition, String id) {
    return broker.push(queue, partition, id).get(0).equals(FULL);
  }

  private TransactionOutcome transaction(Operation... operations) {
    return await(broker.store().transaction(new Transaction(List.of(operations), List.of())));
  }
}
