package dev.queenmq.server.store.pop;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cursors for which a plain pop was in vain: they have a history, or their queue has options that
 * only {@code pop_v1} knows. Such a state mostly lasts. So after a miss the next 2 pops of that
 * cursor go to the procedure at once, then 4, up to 64. Bounded; owned by the store's event loop.
 */
final class PopMisses {
  private static final int MOST_CURSORS = 10_000;
  private static final int MOST_MISSES = 6;

  /** One after the other, and how many pops are still to be passed over. */
  private record Misses(int count, int passOver) {}

  private final Map<CursorKey, Misses> cursors = new LinkedHashMap<>();

  /** Whether a plain pop may be tried; if not, this one counts as passed over. */
  boolean mayTry(CursorKey cursor) {
    @Nullable Misses misses = cursors.isEmpty() ? null : cursors.get(cursor);
    if (misses == null || misses.passOver == 0) {
      return true;
    }
    cursors.put(cursor, new Misses(misses.count, misses.passOver - 1));
    return false;
  }

  /** Forgets them: another server has other cursors. */
  void forgetAll() {
    cursors.clear();
  }

  /** A plain pop found it as it should be. */
  void found(CursorKey cursor) {
    if (!cursors.isEmpty()) {
      cursors.remove(cursor);
    }
  }

  /** A plain pop was in vain, though there was something to give or to say. */
  void missed(CursorKey cursor) {
    @Nullable Misses before = cursors.remove(cursor);
    int count = before == null ? 1 : Math.min(before.count + 1, MOST_MISSES);
    if (cursors.size() >= MOST_CURSORS) {
      cursors.remove(cursors.keySet().iterator().next());
    }
    cursors.put(cursor, new Misses(count, 1 << count));
  }
}
