package dev.queenmq.server.postgres;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/** Slots that any thread may use. A caller on an event loop is answered there. */
public final class SharedSlots {
  private final Context owner;
  private final Slots slots;

  /**
   * Shares slots.
   *
   * @param owner the event loop that they belong to
   */
  public SharedSlots(Context owner, Slots slots) {
    this.owner = owner;
    this.slots = slots;
  }

  /** Runs a statement as soon as a slot is free. */
  public Future<RowSet<Row>> call(String sql, Tuple arguments) {
    @Nullable Context caller = Vertx.currentContext();
    Promise<RowSet<Row>> answer = Promise.promise();
    owner.runOnContext(
        go ->
            slots
                .call(sql, arguments)
                .onComplete(
                    done -> {
                      if (caller == null || caller == owner) {
                        answer.handle(done);
                      } else {
                        caller.runOnContext(back -> answer.handle(done));
                      }
                    }));
    return answer.future();
  }

  /** Closes the connections; statements under way fail. */
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    owner.runOnContext(go -> slots.close().onComplete(closed));
    return closed.future();
  }
}
