package dev.queenmq.server.store.groups;

import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the positions of groups: {@code delete_group_v1}, a page of partitions a call, so that
 * locks are short for a group that has read very many.
 */
public final class DeleteGroupProcedure {
  private static final String SQL =
      "select * from queen.delete_group_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final int PAGE = 1000;

  /** Where the next page starts. */
  private record Place(@Nullable UUID queueId, @Nullable String partition) {}

  private final StoreClient client;
  private final short shard;

  public DeleteGroupProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<GroupOutcome> delete(GroupDeletion deletion) {
    Optional<Problem> problem = InputRules.groupDeletion(deletion);
    return problem.isPresent()
        ? Future.succeededFuture(new GroupOutcome.Rejected(problem.get()))
        : page(deletion, new Place(null, null), 0, new HashSet<>());
  }

  private Future<GroupOutcome> page(
      GroupDeletion deletion, Place after, int deleted, Set<String> queues) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(deletion.group())
            .addString(deletion.queue().orElse(null))
            .addBoolean(deletion.subscription())
            .addUUID(after.queueId())
            .addString(after.partition())
            .addInteger(PAGE);
    return client
        .call(SQL, arguments)
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              int total = deleted + row.getInteger("o_deleted");
              queues.addAll(List.of(row.getArrayOfStrings("o_queues")));
              @Nullable UUID last = row.getUUID("o_last_queue");
              return last == null
                  ? Future.succeededFuture(new GroupOutcome.Changed(total, queues))
                  : page(deletion, new Place(last, row.getString("o_last")), total, queues);
            });
  }
}
