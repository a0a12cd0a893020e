package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A queue never holds more than its maxSize, whoever pushes to it and how many at once. */
class MaxSizeRaceIT extends MaxSizeFixture {
  private static final int BROKERS = 3;
  private static final int IN_FLIGHT = 3;

  @Test
  void pushesOfManyBrokers_fillAQueueToItsSize_andNeverBeyond() {
    limit("big", 300);
    limit("small", 20);
    for (int round = 0; round < 2; round++) {
      List<PushOutcome> outcomes = pushFromEverywhere("round" + round, 45);

      assertThat(outcomes).contains(FULL);
      assertThat(depth("big")).isEqualTo(300);
      assertThat(depth("small")).isEqualTo(20);
      long stored = outcomes.stream().filter(PushOutcome.Queued.class::isInstance).count();
      assertThat(stored + outcomes.stream().filter(FULL::equals).count())
          .isEqualTo(outcomes.size());
      drain("big");
      drain("small");
      assertThat(depth("big") + depth("small")).isZero();
    }
  }

  @Test
  void pushesAgainstConsumers_neverExceed_andNothingIsLost() {
    limit("flow", 40);
    broker.push("flow", "p0", "first");
    broker.pop("flow", "p0", "g", 1); // the group has read the queue from here on
    broker.expireLeases();
    Set<String> queued = Collections.synchronizedSet(new HashSet<>(Set.of("first")));
    Set<String> done = new HashSet<>();
    List<TestStore> stores = stores();
    Watch watch = new Watch("flow");
    try {
      List<Future<Void>> producers = new ArrayList<>();
      for (int i = 0; i < BROKERS; i++) {
        producers.add(produce(stores.get(i), "flow", "b" + i, 60, queued));
      }
      Future<?> all = Future.join(producers);
      while (!all.isComplete() || done.size() < queued.size()) {
        for (int p = 0; p < PARTITIONS; p++) {
          done.addAll(takeAll("flow", "p" + p, "g"));
        }
      }
      await(all);
    } finally {
      watch.stop();
      stores.forEach(TestStore::close);
    }
    assertThat(watch.most()).isLessThanOrEqualTo(40);
    assertThat(done).isEqualTo(queued).hasSizeGreaterThan(40);
  }

  private List<PushOutcome> pushFromEverywhere(String prefix, int rounds) {
    List<PushOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
    List<TestStore> stores = stores();
    Watch big = new Watch("big");
    Watch small = new Watch("small");
    try {
      List<Future<Void>> pushing = new ArrayList<>();
      for (int i = 0; i < BROKERS * IN_FLIGHT; i++) {
        TestStore store = stores.get(i % BROKERS);
        pushing.add(
            push(store, new Random(i), prefix + "-" + i + "-", rounds / IN_FLIGHT, outcomes));
      }
      await(Future.join(pushing));
    } finally {
      big.stop();
      small.stop();
      stores.forEach(TestStore::close);
    }
    assertThat(big.most()).isLessThanOrEqualTo(300);
    assertThat(small.most()).isLessThanOrEqualTo(20);
    return outcomes;
  }

  private List<TestStore> stores() {
    return IntStream.range(0, BROKERS).mapToObj(i -> broker.another()).toList();
  }

  /** Pushes each message until it has been taken. */
  private static Future<Void> produce(
      TestStore store, String queue, String prefix, int left, Set<String> queued) {
    if (left == 0) {
      return Future.succeededFuture();
    }
    String id = prefix + "-" + left;
    return store
        .store()
        .push(List.of(store.message(queue, "p" + left % PARTITIONS, id)))
        .compose(
            some -> {
              boolean taken = some.get(0) instanceof PushOutcome.Queued;
              if (taken) {
                queued.add(id);
              }
              return produce(store, queue, prefix, taken ? left - 1 : left, queued);
            });
  }

  private void drain(String queue) {
    for (int p = 0; p < PARTITIONS; p++) {
      takeAll(queue, "p" + p, "g");
    }
  }

  /** Looks at a queue again and again, as any reader of the database may. */
  private final class Watch {
    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Long> most;

    Watch(String queue) {
      PgConnection connection = broker.database().connect();
      String pause = "select pg_sleep(0.005)";
      most =
          CompletableFuture.supplyAsync(
              () -> {
                long seen = 0;
                while (!over.get()) {
                  seen = Math.max(seen, number(connection, depthOf(queue)));
                  await(connection.query(pause).execute());
                }
                await(connection.close());
                return seen;
              });
    }

    private static long number(PgConnection connection, String sql) {
      return await(connection.query(sql).execute()).iterator().next().getLong(0);
    }

    void stop() {
      over.set(true);
    }

    /** The most that it has seen. */
    long most() {
      return most.join();
    }
  }
}
