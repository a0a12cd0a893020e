package dev.queenmq.server.store.queues;

import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.push.AppendMemory;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes partitions: {@code delete_partition_v1}, at once for all clients; dependent rows are
 * removed later, in pieces.
 */
public final class DeletePartitionProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(DeletePartitionProcedure.class);
  private static final String SQL = "select queen.delete_partition_v1($1, $2, $3)";

  private final StoreClient client;
  private final AppendMemory memory;
  private final SweepProcedure sweep;
  private final short shard;

  public DeletePartitionProcedure(
      StoreClient client, AppendMemory memory, SweepProcedure sweep, short shard) {
    this.client = client;
    this.memory = memory;
    this.sweep = sweep;
    this.shard = shard;
  }

  public Future<PartitionDeletion> delete(String queue, String partition) {
    Optional<Problem> problem =
        MessageRules.name("queue", queue).or(() -> MessageRules.name("partition", partition));
    if (problem.isPresent()) {
      return Future.succeededFuture(new PartitionDeletion.Rejected(problem.get()));
    }
    return client
        .call(SQL, Tuple.of(shard).addString(queue).addString(partition))
        .recover(Failures::translate)
        .map(
            rows -> {
              memory.forget(new PartitionName(queue, partition));
              @Nullable UUID id = rows.iterator().next().getUUID(0);
              if (id == null) {
                return new PartitionDeletion.NotFound();
              }
              // In the background; what it leaves, the sweep at the next start finds.
              sweep
                  .sweep(new UUID[] {id})
                  .onFailure(failure -> LOG.debug("{} of {} not swept", partition, queue, failure));
              return new PartitionDeletion.Deleted(id);
            });
  }
}
