package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes verdicts: {@code ack_v1}. */
final class AckProcedure {
  private static final String SQL =
      "select * from queen.ack_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, null)";
  private static final UUID @Nullable [] NO_FENCE = null;

  private final StoreClient client;
  private final short shard;

  AckProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  Future<List<AckOutcome>> ack(List<Ack> acks) {
    @Nullable AckOutcome[] outcomes = new AckOutcome[acks.size()];
    List<Integer> positions = new ArrayList<>(acks.size());
    List<Ack> sent = new ArrayList<>(acks.size());
    for (int i = 0; i < acks.size(); i++) {
      Optional<Problem> problem = InputRules.ack(acks.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new AckOutcome.Rejected(problem.get());
      } else {
        positions.add(i);
        sent.add(acks.get(i));
      }
    }
    if (sent.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(outcomes));
    }
    Tuple arguments = Tuple.of(shard);
    AckArguments call = new AckArguments(sent);
    call.addTo(arguments);
    arguments.addArrayOfUUID(NO_FENCE);
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              List<AckOutcome> answered = call.outcomes(rows.iterator().next());
              for (int i = 0; i < positions.size(); i++) {
                outcomes[positions.get(i)] = answered.get(i);
              }
              return Outcomes.complete(outcomes);
            });
  }
}
