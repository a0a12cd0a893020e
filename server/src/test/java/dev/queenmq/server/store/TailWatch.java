package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.model.polling.TailLook;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Follows the tail feed. */
public final class TailWatch {
  private static final int LOOKS = 200;
  private static final long PAUSE_MILLIS = 50;

  private final MessageStore store;
  private final Set<UUID> told = new HashSet<>();
  private String bookmark;

  public TailWatch(MessageStore store) {
    this.store = store;
    bookmark = await(store.tail(Optional.empty())).bookmark();
  }

  /**
   * Which of these the feed did not tell. It may be held up by any transaction that still runs,
   * such as one of autovacuum, so it gets a while.
   */
  public Set<UUID> untold(Set<UUID> partitionIds) {
    Set<UUID> missing = new HashSet<>(partitionIds);
    for (int look = 0; look < LOOKS; look++) {
      TailLook seen = await(store.tail(Optional.of(bookmark)));
      bookmark = seen.bookmark();
      told.addAll(seen.partitionIds());
      missing.removeAll(told);
      if (missing.isEmpty()) {
        break;
      }
      pause();
    }
    return missing;
  }

  /** Whether the feed told this partition. */
  public boolean told(UUID partitionId) {
    return told.contains(partitionId);
  }

  /** Forgets what it was told. */
  public void forget() {
    told.clear();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
