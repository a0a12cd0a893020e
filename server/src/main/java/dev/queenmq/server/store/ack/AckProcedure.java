package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes acks. Those that complete leases as the broker remembers them are one plain statement
 * ({@link AckRanges}), and so are those of one lease that it does not remember ({@link AckByIds}).
 * All others, and those that a statement finds otherwise, go to {@code ack_v1}.
 */
public final class AckProcedure {
  private static final String SQL =
      "select * from queen.ack_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, null)";
  private static final UUID @Nullable [] NO_FENCE = null;

  private final StoreClient client;
  private final LeaseGroups leaseGroups;
  private final LeaseMemory leases;
  private final short shard;
  private final boolean plain;

  public AckProcedure(
      StoreClient client, LeaseGroups leaseGroups, LeaseMemory leases, StoreOptions options) {
    this.client = client;
    this.leaseGroups = leaseGroups;
    this.leases = leases;
    this.shard = options.shard();
    this.plain = options.plainStatements();
  }

  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    if (!plain) {
      return judge(acks);
    }
    AckRanges ranges = new AckRanges(acks, leases);
    if (ranges.isComplete()) {
      return orJudge(ranges.settle(client, shard), acks);
    }
    return AckByIds.of(acks, leases)
        .map(byIds -> orJudge(byIds.settle(client, shard), acks))
        .orElseGet(() -> judge(acks).onSuccess(ranges::judged));
  }

  private Future<List<AckOutcome>> orJudge(
      Future<Optional<List<AckOutcome>>> settling, List<Ack> acks) {
    return settling.compose(
        settled -> settled.map(Future::succeededFuture).orElseGet(() -> judge(acks)));
  }

  private Future<List<AckOutcome>> judge(List<Ack> acks) {
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
    return call(sent)
        .compose(
            judged -> ofLeases(sent, judged).recover(failure -> Failures.translate(failure, true)))
        .map(
            judged -> {
              for (int i = 0; i < positions.size(); i++) {
                outcomes[positions.get(i)] = judged.get(i);
              }
              return Outcomes.complete(outcomes);
            });
  }

  private Future<List<AckOutcome>> call(List<Ack> acks) {
    Tuple arguments = Tuple.of(shard);
    AckArguments ackArguments = new AckArguments(acks);
    ackArguments.addTo(arguments);
    arguments.addArrayOfUUID(NO_FENCE);
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .map(rows -> ackArguments.outcomes(rows.iterator().next()));
  }

  /** The lease decides whose ack it is: once more for acks that did not name the group. */
  private Future<List<AckOutcome>> ofLeases(List<Ack> acks, List<AckOutcome> outcomes) {
    return leaseGroups
        .find(acks, outcomes, List.of())
        .compose(
            groups -> {
              List<AckOutcome> judged = new ArrayList<>(outcomes);
              List<Integer> places = new ArrayList<>();
              List<Ack> again = new ArrayList<>();
              groups.forEach(
                  (place, group) -> {
                    if (acks.get(place).groupNamed()) {
                      judged.set(place, LeaseGroups.mismatch(judged.get(place)));
                    } else {
                      places.add(place);
                      again.add(acks.get(place).of(group));
                    }
                  });
              if (again.isEmpty()) {
                return Future.succeededFuture(judged);
              }
              return call(again)
                  .map(
                      results -> {
                        for (int i = 0; i < places.size(); i++) {
                          judged.set(places.get(i), results.get(i).inGroup(again.get(i).group()));
                        }
                        return judged;
                      });
            });
  }
}
