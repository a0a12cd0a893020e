package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/** The store's push: everything from records to records is on the clock. */
record QueenPush(StoreConnection on) implements Contender<Batch> {

  @Override
  public String name() {
    return "queen push";
  }

  @Override
  public Context context() {
    return on.context();
  }

  @Override
  public Future<Void> run(Batch batch) {
    return on.store()
        .push(batch.messages())
        .map(
            outcomes -> {
              queued(outcomes);
              return null;
            });
  }

  /** All of them must be stored. */
  static void queued(List<PushOutcome> outcomes) {
    for (PushOutcome outcome : outcomes) {
      if (!(outcome instanceof PushOutcome.Queued)) {
        throw new IllegalStateException("not queued: " + outcome);
      }
    }
  }
}
