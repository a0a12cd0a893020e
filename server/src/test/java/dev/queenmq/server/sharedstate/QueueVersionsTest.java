package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class QueueVersionsTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> told = new ArrayList<>();
  private final QueueVersions versions =
      new QueueVersions(
          clock,
          10_000,
          new QueueVersions.Changes() {
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
  void higherVersion_isNews_andALowerOrTheSameIsNot() {
    versions.changed("orders", 2);
    versions.changed("orders", 1);
    versions.changed("orders", 2);
    assertThat(told).containsExactly("changed orders");
    versions.changed("orders", 3);
    assertThat(told).containsExactly("changed orders", "changed orders");
    assertThat(versions.version("orders")).hasValue(3);
    assertThat(versions.size()).isEqualTo(1);
  }

  @Test
  void lostPacket_isMadeUpForByTheNextRefresh() {
    refresh(Map.of("orders", 1L, "mails", 1L));
    told.clear();
    clock.advance(60_000);
    refresh(Map.of("orders", 2L, "mails", 1L));
    assertThat(told).containsExactly("changed orders");
    clock.advance(60_000);
    told.clear();
    refresh(Map.of("mails", 1L));
    assertThat(told).containsExactly("deleted orders");
    assertThat(versions.version("orders")).isEmpty();
  }

  @Test
  void refresh_tellsNothingThatAPacketHasTold() {
    refresh(Map.of("orders", 1L));
    versions.changed("orders", 2);
    versions.deleted("mails", OptionalLong.of(7));
    told.clear();
    clock.advance(60_000);
    refresh(Map.of("orders", 2L));
    assertThat(told).isEmpty();
  }

  @Test
  void ownChangesAndDeletions_areNoNews() {
    versions.changedHere("orders", 1);
    versions.deletedHere("mails", OptionalLong.of(7));
    clock.advance(1);
    refresh(Map.of("orders", 1L));
    assertThat(told).isEmpty();
  }

  @Test
  void olderChange_afterADeletion_doesNotBringTheQueueBack() {
    versions.changed("orders", 1);
    versions.deleted("orders", OptionalLong.of(5));
    versions.changed("orders", 4);
    assertThat(versions.version("orders")).isEmpty();
    versions.changed("orders", 6);
    assertThat(versions.version("orders")).hasValue(6);
    assertThat(told).containsExactly("changed orders", "deleted orders", "changed orders");
  }

  @Test
  void olderDeletion_afterAChange_doesNotRemoveTheQueue() {
    versions.changed("orders", 6);
    versions.deleted("orders", OptionalLong.of(5));
    assertThat(versions.version("orders")).hasValue(6);
    assertThat(told).containsExactly("changed orders");
  }

  @Test
  void deletionWithoutVersion_keepsEveryWordAway_butNotForLong_andNotOurOwn() {
    versions.changed("orders", 1);
    versions.deleted("orders", OptionalLong.empty());
    versions.changed("orders", 9);
    assertThat(versions.version("orders")).isEmpty();
    versions.changedHere("orders", 10);
    assertThat(versions.version("orders")).hasValue(10);
    versions.deleted("orders", OptionalLong.empty());
    clock.advance(10_000);
    versions.expire();
    versions.changed("orders", 11);
    assertThat(versions.version("orders")).hasValue(11);
  }

  @Test
  void falseDeletion_isUndoneByARefreshAfterTheTombstone() {
    refresh(Map.of("orders", 1L));
    versions.deleted("orders", OptionalLong.empty());
    told.clear();
    clock.advance(10_000);
    refresh(Map.of("orders", 1L));
    assertThat(told).containsExactly("changed orders");
  }

  @Test
  void refresh_winsOverAWrongHigherVersion() {
    versions.changed("orders", Long.MAX_VALUE);
    told.clear();
    clock.advance(1);
    refresh(Map.of("orders", 2L));
    assertThat(versions.version("orders")).hasValue(2);
    assertThat(told).containsExactly("changed orders");
  }

  @Test
  void refresh_forgetsQueuesThatOnlyPacketsHaveNamed() {
    for (int i = 0; i < 1_000; i++) {
      versions.changed("none-" + i, i);
    }
    clock.advance(1);
    refresh(Map.of("orders", 1L));
    assertThat(versions.size()).isEqualTo(1);
  }

  @Test
  void refresh_doesNotUndoWhatHappenedWhileItWasRead() {
    versions.changed("changed", 1);
    versions.changed("deleted", 1);
    clock.advance(1);
    CompletableFuture<Map<String, Long>> query = new CompletableFuture<>();
    CompletableFuture<Void> done = versions.refresh(() -> query).toCompletableFuture();
    versions.changed("created", 2);
    versions.changed("changed", 2);
    versions.deleted("deleted", OptionalLong.of(2));
    told.clear();
    query.complete(Map.of("changed", 1L, "deleted", 1L));
    assertThat(done).isCompleted();
    assertThat(versions.version("created")).hasValue(2);
    assertThat(versions.version("changed")).hasValue(2);
    assertThat(versions.version("deleted")).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void failedRefresh_changesNothing() {
    versions.changed("orders", 1);
    told.clear();
    clock.advance(1);
    assertThat(
            versions
                .refresh(() -> CompletableFuture.failedFuture(new IllegalStateException()))
                .toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(versions.version("orders")).hasValue(1);
    assertThat(told).isEmpty();
  }

  private void refresh(Map<String, Long> queues) {
    assertThat(
            versions.refresh(() -> CompletableFuture.completedFuture(queues)).toCompletableFuture())
        .isCompleted();
  }
}
