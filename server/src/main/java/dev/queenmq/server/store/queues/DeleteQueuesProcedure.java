package dev.queenmq.server.store.queues;

import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.push.AppendMemory;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes queues: {@code delete_queues_v1}, at once for all clients; dependent rows are removed
 * later, in pieces, and so are the partitions if there are many.
 */
public final class DeleteQueuesProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(DeleteQueuesProcedure.class);
  private static final String SQL = "select * from queen.delete_queues_v1($1, $2, $3)";

  /** A queue with more partitions is marked, and removed in steps. */
  private static final int MANY = 2_000;

  private final StoreClient client;
  private final AppendMemory memory;
  private final SweepProcedure sweep;
  private final short shard;

  public DeleteQueuesProcedure(
      StoreClient client, AppendMemory memory, SweepProcedure sweep, short shard) {
    this.client = client;
    this.memory = memory;
    this.sweep = sweep;
    this.shard = shard;
  }

  public Future<List<DeleteOutcome>> delete(List<String> queues) {
    @Nullable DeleteOutcome[] outcomes = new DeleteOutcome[queues.size()];
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      Optional<Problem> problem = MessageRules.name("queue", queues.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new DeleteOutcome.Rejected(problem.get());
      } else {
        sent.add(i);
      }
    }
    if (sent.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(outcomes));
    }
    String[] names = sent.stream().map(queues::get).toArray(String[]::new);
    return client
        .call(SQL, Tuple.of(shard).addArrayOfString(names).addInteger(MANY))
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              Boolean[] existed = row.getArrayOfBooleans("o_existed");
              for (int i = 0; i < sent.size(); i++) {
                outcomes[sent.get(i)] = new DeleteOutcome.Deleted(existed[i]);
                memory.forgetQueue(names[i]);
              }
              // In the background; what it leaves, the job of upkeep finds.
              boolean marked = row.getBoolean("o_marked");
              sweep
                  .sweep(row.getArrayOfUUIDs("o_partition_ids"))
                  .compose(rest -> marked ? sweep.sweepMarked() : Future.succeededFuture(rest))
                  .onFailure(failure -> LOG.debug("{} not swept", List.of(names), failure));
              return Outcomes.complete(outcomes);
            });
  }
}
