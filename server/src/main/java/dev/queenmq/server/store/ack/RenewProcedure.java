package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Extends leases: {@code renew_v1}. */
public final class RenewProcedure {
  private static final String SQL = "select * from queen.renew_v1($1, $2, $3)";

  private final StoreClient client;
  private final short shard;

  public RenewProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    @Nullable RenewOutcome[] outcomes = new RenewOutcome[renewals.size()];
    List<Integer> sent = new ArrayList<>(renewals.size());
    for (int i = 0; i < renewals.size(); i++) {
      Optional<Problem> problem = InputRules.renewal(renewals.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new RenewOutcome.Rejected(problem.get());
      } else {
        sent.add(i);
      }
    }
    if (sent.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(outcomes));
    }
    UUID[] leaseIds = sent.stream().map(i -> renewals.get(i).leaseId()).toArray(UUID[]::new);
    Integer[] seconds =
        sent.stream()
            .map(i -> Math.toIntExact(renewals.get(i).extension().toSeconds()))
            .toArray(Integer[]::new);
    return client
        .call(SQL, Tuple.of(shard).addArrayOfUUID(leaseIds).addArrayOfInteger(seconds))
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              String[] states = row.getArrayOfStrings("o_status");
              OffsetDateTime[] expiries = row.getArrayOfOffsetDateTimes("o_expires_at");
              for (int i = 0; i < sent.size(); i++) {
                outcomes[sent.get(i)] = outcome(states[i], expiries[i]);
              }
              return Outcomes.complete(outcomes);
            });
  }

  private static RenewOutcome outcome(String state, @Nullable OffsetDateTime expiresAt) {
    if (expiresAt != null) {
      return new RenewOutcome.Renewed(expiresAt.toInstant());
    }
    return state.equals("expired") ? new RenewOutcome.Expired() : new RenewOutcome.Missing();
  }
}
