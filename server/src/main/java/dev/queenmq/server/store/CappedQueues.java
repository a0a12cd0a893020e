package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The queues that are known to have a maxSize: pushes to them are careful at once, see {@code
 * push_v1}. A hint, which saves the procedure a first attempt. Owned by the store's event loop.
 */
final class CappedQueues {
  /** Beyond, it starts again with none. */
  private static final int MOST = 10_000;

  private final StoreClient client;
  private final Set<String> names = new HashSet<>();

  CappedQueues(StoreClient client) {
    this.client = client;
  }

  /**
   * Calls a procedure that pushes.
   *
   * @param arguments of a call that is careful or not
   */
  Future<RowSet<Row>> call(String sql, PushCall push, Function<Boolean, Tuple> arguments) {
    boolean careful = !names.isEmpty() && push.queues().stream().anyMatch(names::contains);
    return client
        .call(sql, arguments.apply(careful))
        .onSuccess(
            rows -> {
              boolean capped = Boolean.TRUE.equals(rows.iterator().next().getBoolean("capped"));
              if (capped && !careful) {
                learn(push.queues());
              } else if (careful && !capped) {
                names.removeAll(push.queues());
              }
            });
  }

  /** Whether a queue is believed to have a maxSize. */
  boolean knows(String queue) {
    return !names.isEmpty() && names.contains(queue);
  }

  private void learn(Set<String> queues) {
    if (names.size() > MOST) {
      names.clear();
    }
    names.addAll(queues);
  }
}
