package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PartitionIdsTest {
  private static final UUID ID = new UUID(1, 2);
  private final ManualClock clock = new ManualClock();
  private final PartitionIds ids = new PartitionIds(clock, 10_000, Duration.ofMinutes(5));

  @Test
  void hundredThousandPartitions_memoryStaysBounded() {
    for (int i = 0; i < 100_000; i++) {
      ids.put("queue-" + i % 100, "p" + i, new UUID(0, i));
    }
    for (int i = 0; i < 100_000; i++) {
      assertThat(load("other", "p" + i, CompletableFuture.completedFuture(Optional.of(ID))))
          .isCompleted();
    }
    SharedStateStatistics.PartitionIdCache statistics = ids.statistics();
    assertThat(statistics.size()).isLessThanOrEqualTo(10_000);
    assertThat(statistics.evictions()).isGreaterThanOrEqualTo(190_000);
    assertThat(ids.indexed()).isEqualTo((int) statistics.size());
  }

  @Test
  void entries_expire_evenIfTheyAreUsed() {
    ids.put("orders", "p", ID);
    clock.advance(Duration.ofMinutes(4).toMillis());
    assertThat(ids.get("orders", "p")).contains(ID);
    clock.advance(Duration.ofMinutes(1).toMillis());
    assertThat(ids.get("orders", "p")).isEmpty();
    assertThat(ids.statistics().size()).isZero();
    assertThat(ids.indexed()).isZero();
  }

  @Test
  void whatExpiredAndIsLoadedAgain_goesWithItsQueue() {
    ids.put("orders", "p", ID);
    ids.put("orders", "q", ID);
    clock.advance(Duration.ofMinutes(5).toMillis());
    assertThat(load("orders", "p", CompletableFuture.completedFuture(Optional.of(ID))))
        .isCompleted();
    ids.put("orders", "q", ID);
    ids.dropQueue("orders");
    assertThat(ids.get("orders", "p")).isEmpty();
    assertThat(ids.get("orders", "q")).isEmpty();
    assertThat(ids.indexed()).isZero();
  }

  @Test
  @DisplayName("Cache stampede: 5,000 simultaneous misses on one partition make one query")
  void cacheStampede_fiveThousandMissesMakeOneQuery() throws Exception {
    AtomicInteger queries = new AtomicInteger();
    CompletableFuture<Optional<UUID>> database = new CompletableFuture<>();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<List<CompletionStage<Optional<UUID>>>>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tasks.add(
          threads.submit(
              () -> {
                start.await();
                List<CompletionStage<Optional<UUID>>> answers = new ArrayList<>();
                for (int each = 0; each < 625; each++) {
                  answers.add(
                      ids.get(
                          "orders",
                          "p",
                          () -> {
                            queries.incrementAndGet();
                            return database;
                          }));
                }
                return answers;
              }));
    }
    start.countDown();
    int answered = 0;
    for (Future<List<CompletionStage<Optional<UUID>>>> task : tasks) {
      List<CompletionStage<Optional<UUID>>> answers = task.get();
      database.complete(Optional.of(ID));
      for (CompletionStage<Optional<UUID>> answer : answers) {
        assertThat(answer.toCompletableFuture().join()).contains(ID);
        answered++;
      }
    }
    threads.shutdown();
    assertThat(answered).isEqualTo(5000);
    assertThat(queries).hasValue(1);
  }

  @Test
  void failuresAndAbsence_areNotRemembered() {
    assertThat(load("orders", "p", CompletableFuture.failedFuture(new IllegalStateException())))
        .isCompletedExceptionally();
    assertThat(load("orders", "p", CompletableFuture.completedFuture(Optional.empty())).join())
        .isEmpty();
    assertThat(
            ids.get(
                    "orders",
                    "p",
                    () -> {
                      throw new IllegalStateException();
                    })
                .toCompletableFuture())
        .isCompletedExceptionally();
    CompletableFuture<Optional<UUID>> late = new CompletableFuture<>();
    CompletableFuture<Optional<UUID>> answer = load("orders", "p", late);
    late.completeExceptionally(new IllegalStateException());
    assertThat(answer).isCompletedExceptionally();
    assertThat(ids.indexed()).isZero();
    assertThat(load("orders", "p", CompletableFuture.completedFuture(Optional.of(ID))).join())
        .contains(ID);
  }

  @Test
  void drop_forgetsOne_dropQueueForgetsAllOfAQueue() {
    ids.put("orders", "a", ID);
    ids.put("orders", "b", ID);
    ids.put("orders:a", "b", ID);
    ids.drop("orders", "a");
    assertThat(ids.get("orders", "a")).isEmpty();
    assertThat(ids.get("orders", "b")).contains(ID);
    ids.dropQueue("orders");
    assertThat(ids.get("orders", "b")).isEmpty();
    assertThat(ids.get("orders:a", "b")).contains(ID);
    assertThat(ids.indexed()).isEqualTo(1);
  }

  @Test
  void whatIsDroppedWhileItIsLoaded_isAnsweredButNotRemembered() {
    CompletableFuture<Optional<UUID>> database = new CompletableFuture<>();
    CompletableFuture<Optional<UUID>> answer = load("orders", "p", database);
    ids.dropQueue("orders");
    database.complete(Optional.of(ID));
    assertThat(answer.join()).contains(ID);
    assertThat(ids.get("orders", "p")).isEmpty();
  }

  private CompletableFuture<Optional<UUID>> load(
      String queue, String partition, CompletableFuture<Optional<UUID>> database) {
    return ids.get(queue, partition, () -> database).toCompletableFuture();
  }
}
