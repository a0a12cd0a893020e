package dev.queenmq.server.store;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queues with a limit, for tests of the store. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MaxSizeFixture {
  static final PushOutcome FULL = new PushOutcome.QueueFull();
  static final int PARTITIONS = 12;
  TestStore broker;

  @BeforeAll
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    broker.close();
  }

  static Future<Void> push(
      TestStore store, Random random, String prefix, int left, List<PushOutcome> outcomes) {
    if (left == 0) {
      return Future.succeededFuture();
    }
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String queue = List.of("big", "big", "small", "free").get(random.nextInt(4));
      String partition = "p" + random.nextInt(PARTITIONS);
      messages.add(store.message(queue, partition, prefix + left + "-" + i));
    }
    return store
        .store()
        .push(messages)
        .compose(
            some -> {
              outcomes.addAll(some);
              return push(store, random, prefix, left - 1, outcomes);
            });
  }

  List<String> takeAll(String queue, String partition, String group) {
    return TestStore.transactionIds(
        broker.pop(
            new PopRequest(
                new PopTarget.Named(queue, partition),
                group,
                10_000,
                1,
                true,
                new Subscription.All())));
  }

  Operation push(String queue, String id) {
    return new Operation.Push(broker.message(queue, "p", id));
  }

  void limit(String queue, int maxSize) {
    broker.configure(queue, new JsonObject().put("maxSize", maxSize));
  }

  /** Of a queue that no more than one group reads. */
  long depth(String queue) {
    return (Long) broker.database().value(depthOf(queue));
  }

  static String depthOf(String queue) {
    return """
    select coalesce(sum(p.next_offset - coalesce(
      (select min(c.committed) from queen.cursors c where c.partition_id = p.id),
      p.first_offset)), 0)::bigint
    from queen.partitions p join queen.queues q on q.id = p.queue_id
    where q.name = '%s'
    """
        .formatted(queue);
  }
}
