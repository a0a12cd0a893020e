package dev.queenmq.server.store.modeltest;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.TestPoll;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The store under test, taking the same steps as the model. */
final class RealStore {
  private final List<ModelBroker> brokers;
  private final Translation names;
  private Instant now;

  RealStore(List<ModelBroker> brokers, Translation names, Instant now) {
    this.brokers = brokers;
    this.names = names;
    this.now = now;
    brokers.forEach(broker -> broker.itIs(now));
  }

  Object take(Step step) {
    if (step instanceof Step.Push push) {
      List<Message> messages = push.messages().stream().map(names::real).toList();
      return await(store(push.broker()).push(messages));
    }
    if (step instanceof Step.PushToPoll both) {
      return pushToPoll(both);
    }
    if (step instanceof Step.Pop pop) {
      return await(store(pop.broker()).pop(pop.requests().stream().map(names::real).toList()));
    }
    if (step instanceof Step.Acks given) {
      return await(store(given.broker()).ack(given.acks().stream().map(names::real).toList()));
    }
    if (step instanceof Step.Transact transact) {
      return await(store(transact.broker()).transaction(names.real(transact.transaction())));
    }
    if (step instanceof Step.Pass pass) {
      now = now.plus(pass.time());
      brokers.forEach(broker -> broker.itIs(now));
      return now;
    }
    return administer(step);
  }

  private List<Object> pushToPoll(Step.PushToPoll both) {
    PopRequest poll = names.real(both.poll());
    TestPoll waiting = new TestPoll(poll);
    List<Object> outcomes =
        new ArrayList<>(
            await(
                store(both.broker())
                    .push(both.messages().stream().map(names::real).toList(), waiting)));
    outcomes.add(
        waiting
            .served()
            .<PopOutcome>map(served -> served)
            .orElseGet(() -> await(store(both.broker()).pop(List.of(poll))).get(0)));
    return outcomes;
  }

  private Object administer(Step step) {
    if (step instanceof Step.Renew renew) {
      return await(
          store(renew.broker()).renew(renew.renewals().stream().map(names::real).toList()));
    }
    if (step instanceof Step.EndLease end) {
      return ended(await(store(end.broker()).endLease(names.real(end.leaseId()))));
    }
    if (step instanceof Step.Pause pause) {
      PopPause asked = pause.pause();
      return await(
          store(pause.broker())
              .pause(
                  new PopPause(
                      names.realQueue(asked.queue()),
                      asked.group().map(names::realGroup),
                      asked.paused(),
                      asked.by())));
    }
    if (step instanceof Step.Move move) {
      return await(store(move.broker()).seek(names.real(move.seek())));
    }
    if (step instanceof Step.Configure configure) {
      return await(
          store(configure.broker())
              .configure(configure.configurations().stream().map(names::real).toList()));
    }
    if (step instanceof Step.Delete delete) {
      List<DeleteOutcome> deleted =
          await(store(delete.broker()).deleteQueues(names.realQueues(delete.queues())));
      // The model knows no leases of queues that are gone; until the sweep, the store does.
      awaitSweeps();
      return deleted;
    }
    if (step instanceof Step.Evict evict) {
      return evict(evict, "", 0);
    }
    if (step instanceof Step.Drop drop) {
      return await(
          store(drop.broker())
              .dropSegments(
                  names.real(drop.partitionId()), drop.before(), drop.below(), drop.segments()));
    }
    return operate(step);
  }

  /** As the model tells it. */
  private List<String> ended(Map<String, List<EndedLease>> leases) {
    return leases.entrySet().stream()
        .flatMap(
            queue ->
                queue.getValue().stream()
                    .map(
                        lease ->
                            names.modelQueue(queue.getKey())
                                + "/"
                                + lease.partition()
                                + "/"
                                + names.modelGroup(lease.group())))
        .sorted()
        .toList();
  }

  private Object operate(Step step) {
    if (step instanceof Step.DeleteMessage delete) {
      return await(store(delete.broker()).deleteMessage(names.real(delete.message())));
    }
    if (step instanceof Step.DeadLetter deadLetter) {
      return await(store(deadLetter.broker()).deadLetter(names.real(deadLetter.deadLettering())));
    }
    if (step instanceof Step.GiveBack back) {
      return await(store(back.broker()).redrive(names.real(back.redrive())));
    }
    if (step instanceof Step.Purge purge) {
      return await(store(purge.broker()).purge(names.real(purge.selection())));
    }
    if (step instanceof Step.Clear clear) {
      return await(store(clear.broker()).clear(names.realQueue(clear.queue()), clear.partition()));
    }
    if (step instanceof Step.DeletePartition delete) {
      PartitionDeletion deleted =
          await(
              store(delete.broker())
                  .deletePartition(names.realQueue(delete.queue()), delete.partition()));
      awaitSweeps();
      return deleted;
    }
    if (step instanceof Step.DeleteGroup delete) {
      return await(store(delete.broker()).deleteGroup(names.real(delete.deletion())));
    }
    Step.MoveSubscription move = (Step.MoveSubscription) step;
    return await(store(move.broker()).moveSubscription(names.real(move.move())));
  }

  private long evict(Step.Evict evict, String after, long removed) {
    for (Row row :
        await(
            brokers
                .get(evict.broker())
                .client()
                .preparedQuery(
                    "select e.* from queen.queues q cross join lateral queen.evict_v1(0::smallint,"
                        + " q.id, $2, (select u.o_reads from queen.upkeep_unnamed_v1(0::smallint,"
                        + " q.id, '', 1000) u), $3, $4) e where q.name = $1")
                .execute(
                    Tuple.of(
                        names.realQueue(evict.queue()),
                        after,
                        evict.partitions(),
                        evict.limit())))) {
      long all = removed + row.getLong("o_removed");
      String last = row.getString("o_last");
      return last == null ? all : evict(evict, last, all);
    }
    return removed;
  }

  MessageStore store(int broker) {
    return brokers.get(broker).store();
  }

  private void awaitSweeps() {
    brokers.forEach(broker -> await(broker.store().swept()));
  }

  /** How many messages each segment of a partition holds, the oldest first. */
  List<Integer> segments(UUID partitionId) {
    List<Integer> lengths = new ArrayList<>();
    for (Row row :
        query(
            "select message_count from queen.segments where shard = 0 and partition_id = $1"
                + " order by base_offset",
            names.real(partitionId))) {
      lengths.add(row.getInteger(0));
    }
    return lengths;
  }

  Iterable<Row> query(String sql, Object argument) {
    return await(brokers.get(0).client().preparedQuery(sql).execute(Tuple.of(argument)));
  }
}
