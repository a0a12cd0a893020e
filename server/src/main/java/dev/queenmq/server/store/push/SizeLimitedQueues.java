package dev.queenmq.server.store.push;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The queues that are known to have a maxSize: pushes to them check the capacity in the first
 * attempt, see {@code push_v1}. A hint: without it the procedure makes a second attempt. Owned by
 * the store's event loop.
 */
public final class SizeLimitedQueues {
  /** Above this number it forgets all of them and starts again. */
  private static final int MOST = 10_000;

  private final StoreClient client;
  private final Set<String> names = new HashSet<>();

  public SizeLimitedQueues(StoreClient client) {
    this.client = client;
  }

  /**
   * Calls a procedure that pushes.
   *
   * @param arguments of a call that checks the capacity or not
   */
  public Future<RowSet<Row>> call(String sql, PushBatch push, Function<Boolean, Tuple> arguments) {
    boolean checkCapacity = !names.isEmpty() && push.queues().stream().anyMatch(names::contains);
    return client
        .call(sql, arguments.apply(checkCapacity))
        .onSuccess(
            rows -> {
              boolean sizeLimited =
                  Boolean.TRUE.equals(rows.iterator().next().getBoolean("capped"));
              if (sizeLimited && !checkCapacity) {
                learn(push.queues());
              } else if (checkCapacity && !sizeLimited) {
                names.removeAll(push.queues());
              }
            });
  }

  /** Whether a queue is believed to have a maxSize. */
  boolean knows(String queue) {
    return !names.isEmpty() && names.contains(queue);
  }

  /** Forgets them: another server may have other queues. */
  public void forgetAll() {
    names.clear();
  }

  private void learn(Set<String> queues) {
    if (names.size() > MOST) {
      names.clear();
    }
    names.addAll(queues);
  }
}
