package dev.queenmq.testkit;

import dev.queenmq.testkit.internal.SharedHost;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The broker that all tests of this process share; a static field holds it for that reason. */
final class SharedQueen {
  private static final SharedQueen INSTANCE = new SharedQueen();

  private @Nullable EmbeddedQueen queen;

  private SharedQueen() {}

  static EmbeddedQueen get() {
    return INSTANCE.started();
  }

  private synchronized EmbeddedQueen started() {
    if (queen == null) {
      queen = new EmbeddedQueen(SharedHost.get().start(Map.of()), true);
    }
    return queen;
  }
}
