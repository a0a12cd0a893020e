package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.PushOutcome;
import java.util.List;

/** The store's push: everything from records to records is on the clock. */
record QueenPush(MessageStore store) implements Contender<Batch> {

  @Override
  public String name() {
    return "queen push";
  }

  @Override
  public void run(Batch batch) {
    queued(Blocking.get(store.push(batch.messages())));
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
