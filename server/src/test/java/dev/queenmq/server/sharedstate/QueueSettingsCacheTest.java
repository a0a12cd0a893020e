package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueueSettingsCacheTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> told = new ArrayList<>();
  private final QueueSettingsCache<String> cache =
      new QueueSettingsCache<>(
          clock,
          10_000,
          new QueueSettingsCache.Changes() {
            @Override
            public void changed(String queue) {
              told.add("changed " + queue);
            }

            @Override
            public void deleted(String queue) {
              told.add("deleted " + queue);
            }
          });

  @Test
  @DisplayName("Queue config lookup, cache says Config X, reality is Config X: use cached")
  void queueConfigLookup_configXIsConfigX_useCached() {
    cache.set("orders", "X", 1);
    assertThat(cache.get("orders")).contains("X");
    assertThat(cache.statistics()).isEqualTo(new SharedStateStatistics.QueueConfigCache(1, 1, 0));
  }

  @Test
  @DisplayName(
      "Queue config lookup, cache says Config X, reality is Config Y (updated): use stale, works, next query refreshes")
  void queueConfigLookup_configXButUpdatedToY_useStaleAndNextRefreshHeals() {
    cache.set("orders", "X", 1);
    assertThat(cache.get("orders")).contains("X");
    clock.advance(60_000);
    refresh(Map.of("orders", new Versioned<>("Y", 2)));
    assertThat(cache.get("orders")).contains("Y");
    assertThat(told).containsExactly("changed orders", "changed orders");
  }

  @Test
  @DisplayName(
      "Queue config lookup, cache says Not found, reality is Exists: query DB, cache, proceed")
  void queueConfigLookup_notFoundButExists_queryDbAndCache() {
    assertThat(cache.get("orders")).isEmpty();
    assertThat(
            cache
                .get(
                    "orders",
                    queue ->
                        CompletableFuture.completedFuture(Optional.of(new Versioned<>("X", 1))))
                .toCompletableFuture()
                .join())
        .contains("X");
    assertThat(cache.get("orders")).contains("X");
    assertThat(told).isEmpty();
  }

  @Test
  @DisplayName(
      "Cache stampede: 5,000 consumers connect, all want one queue config: only ONE request queries DB; others wait for the result")
  void cacheStampede_fiveThousandMissesMakeOneQuery() {
    List<CompletableFuture<Optional<Versioned<String>>>> queries = new ArrayList<>();
    List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      answers.add(
          cache
              .get(
                  "orders",
                  queue -> {
                    queries.add(new CompletableFuture<>());
                    return queries.get(queries.size() - 1);
                  })
              .toCompletableFuture());
    }
    assertThat(queries).hasSize(1);
    queries.get(0).complete(Optional.of(new Versioned<>("X", 1)));
    assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).contains("X"));
  }

  @Test
  void failedLoad_isNotRemembered() {
    CompletableFuture<Optional<String>> failed =
        cache
            .get("orders", queue -> CompletableFuture.failedFuture(new IllegalStateException()))
            .toCompletableFuture();
    assertThat(failed).isCompletedExceptionally();
    assertThat(
            cache
                .get(
                    "orders",
                    queue -> {
                      throw new IllegalStateException();
                    })
                .toCompletableFuture())
        .isCompletedExceptionally();
    queueConfigLookup_notFoundButExists_queryDbAndCache();
  }

  @Test
  void higherVersionWins_inEitherOrder() {
    cache.set("orders", "new", 2);
    cache.set("orders", "old", 1);
    assertThat(cache.get("orders")).contains("new");
    cache.set("orders", "newer", 3);
    assertThat(cache.get("orders")).contains("newer");
  }

  @Test
  void olderSet_afterDelete_doesNotBringTheQueueBack() {
    cache.set("orders", "X", 1);
    cache.delete("orders", OptionalLong.of(5));
    cache.set("orders", "Y", 4);
    assertThat(cache.get("orders")).isEmpty();
    cache.set("orders", "created anew", 6);
    assertThat(cache.get("orders")).contains("created anew");
    assertThat(told).containsExactly("changed orders", "deleted orders", "changed orders");
  }

  @Test
  void olderDelete_afterSet_doesNotRemoveTheQueue() {
    cache.set("orders", "created anew", 6);
    cache.delete("orders", OptionalLong.of(5));
    assertThat(cache.get("orders")).contains("created anew");
  }

  @Test
  void unversionedDelete_keepsEveryWordAway_butNotForLong_andNotOurOwn() {
    cache.set("orders", "X", 1);
    cache.delete("orders", OptionalLong.empty());
    cache.set("orders", "late", 9);
    assertThat(cache.get("orders")).isEmpty();
    cache.setHere("orders", "mine", 10);
    assertThat(cache.get("orders")).contains("mine");
    cache.delete("orders", OptionalLong.empty());
    clock.advance(10_000);
    cache.expire();
    cache.set("orders", "again", 11);
    assertThat(cache.get("orders")).contains("again");
  }

  @Test
  void changeWithoutContent_makesReadersAskTheDatabase_andOldAnswersAreNotKept() {
    cache.set("orders", "X", 1);
    cache.outdated("orders", 3);
    assertThat(cache.get("orders")).isEmpty();
    cache.set("orders", "old", 2);
    assertThat(cache.get("orders")).isEmpty();
    cache.set("orders", "new", 3);
    assertThat(cache.get("orders")).contains("new");
  }

  @Test
  void refresh_removesWhatTheDatabaseDoesNotHave() {
    cache.set("gone", "X", 1);
    clock.advance(1);
    refresh(Map.of("orders", new Versioned<>("Y", 2)));
    assertThat(cache.get("gone")).isEmpty();
    assertThat(told).containsExactly("changed gone", "changed orders", "deleted gone");
  }

  @Test
  void refresh_winsOverAWrongHigherVersion() {
    cache.set("orders", "wrong", Long.MAX_VALUE);
    clock.advance(1);
    refresh(Map.of("orders", new Versioned<>("right", 2)));
    assertThat(cache.get("orders")).contains("right");
  }

  @Test
  void refresh_doesNotUndoWhatHappenedWhileItWasRead() {
    cache.set("changed", "old", 1);
    cache.set("deleted", "old", 1);
    clock.advance(1);
    CompletableFuture<Map<String, Versioned<String>>> query = new CompletableFuture<>();
    CompletableFuture<Void> done = cache.refresh(() -> query).toCompletableFuture();
    cache.set("created", "new", 2);
    cache.set("changed", "new", 2);
    cache.delete("deleted", OptionalLong.of(2));
    told.clear();
    query.complete(
        Map.of("changed", new Versioned<>("old", 1), "deleted", new Versioned<>("old", 1)));
    assertThat(done).isCompleted();
    assertThat(cache.get("created")).contains("new");
    assertThat(cache.get("changed")).contains("new");
    assertThat(cache.get("deleted")).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void failedRefresh_changesNothing() {
    cache.set("orders", "X", 1);
    clock.advance(1);
    assertThat(
            cache
                .refresh(() -> CompletableFuture.failedFuture(new IllegalStateException()))
                .toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(cache.get("orders")).contains("X");
  }

  private void refresh(Map<String, Versioned<String>> queues) {
    assertThat(cache.refresh(() -> CompletableFuture.completedFuture(queues)).toCompletableFuture())
        .isCompleted();
  }
}
