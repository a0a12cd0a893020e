package dev.queenmq.bench.audit;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Transaction;
import java.time.Duration;
import java.util.List;

/**
 * Pushes within a transaction that holds its locks for a while and is rolled back: nothing of it
 * may be seen. The store used for it is thrown away, because no broker ever takes back a push.
 */
final class Rehearsal {
  private final Stage stage;
  private final Context context;

  Rehearsal(Stage stage, Context context) {
    this.stage = stage;
    this.context = context;
  }

  /** Whatever happens, nothing is stored. */
  Future<Void> pushAndRollBack(List<Message> messages, int holdMillis) {
    return StoreConnection.connect(stage.vertx(), context, stage.options())
        .compose(
            connection ->
                connection
                    .begin()
                    .compose(transaction -> rehearse(connection, transaction, messages, holdMillis))
                    .eventually(connection::close))
        .onSuccess(done -> stage.ledger().tally().add(Tally.Count.ROLLBACKS))
        .otherwiseEmpty();
  }

  private Future<Void> rehearse(
      PgConnection connection, Transaction transaction, List<Message> messages, int holdMillis) {
    return new MessageStore(context, connection, StoreOptions.defaults(), 1)
        .push(messages)
        .compose(pushed -> stage.pause(Duration.ofMillis(holdMillis)))
        .eventually(transaction::rollback);
  }
}
