package dev.queenmq.server.store.groups;

import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/** Changes where groups start: {@code move_subscription_v1}. */
public final class MoveSubscriptionProcedure {
  private static final String SQL = "select * from queen.move_subscription_v1($1, $2, $3)";

  private final StoreClient client;
  private final short shard;

  public MoveSubscriptionProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<GroupOutcome> move(SubscriptionMove move) {
    Optional<Problem> problem = MessageRules.name("consumerGroup", move.group());
    if (problem.isPresent()) {
      return Future.succeededFuture(new GroupOutcome.Rejected(problem.get()));
    }
    Tuple arguments =
        Tuple.of(shard)
            .addString(move.group())
            .addOffsetDateTime(move.moment().atOffset(ZoneOffset.UTC));
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new GroupOutcome.Changed(
                  row.getInteger("o_updated"), Set.of(row.getArrayOfStrings("o_queues")));
            });
  }
}
