package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * The queues that are known to have a maxSize: pushes to them have to be careful, see {@code
 * push_v2}. A hint: the store says so when it is wrong. Owned by the store's event loop.
 */
final class CappedQueues {
  private static final String STATE = "QM003";

  /** Beyond, it starts anew: each of them costs one more call then. */
  private static final int MOST = 10_000;

  private final StoreClient client;
  private final Set<String> names = new HashSet<>();

  CappedQueues(StoreClient client) {
    this.client = client;
  }

  /**
   * Calls a procedure that pushes: once, or again if it had to be careful and was not.
   *
   * @param arguments of a call that is careful or not
   */
  Future<RowSet<Row>> call(String sql, PushCall push, Function<Boolean, Tuple> arguments) {
    boolean careful = !names.isEmpty() && push.queues().stream().anyMatch(names::contains);
    return client
        .call(sql, arguments.apply(careful))
        .recover(
            failure ->
                !careful
                        && failure instanceof PgException refusal
                        && STATE.equals(refusal.getSqlState())
                    ? learn(refusal).compose(again -> client.call(sql, arguments.apply(true)))
                    : Future.failedFuture(failure))
        .onSuccess(
            rows -> {
              if (careful && !Boolean.TRUE.equals(rows.iterator().next().getBoolean("o_capped"))) {
                names.removeAll(push.queues());
              }
            });
  }

  private Future<Void> learn(PgException refusal) {
    if (names.size() > MOST) {
      names.clear();
    }
    new JsonArray(refusal.getDetail()).forEach(name -> names.add((String) name));
    return Future.succeededFuture();
  }
}
