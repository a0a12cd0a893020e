package dev.queenmq.server.store.queues;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Empties queues and partitions: {@code clear_v1}, some partitions a call, so that locks are short;
 * then {@code drop_cleared_v1} for what is out of reach by then.
 */
public final class ClearProcedure {
  private static final String CLEAR = "select * from queen.clear_v1($1, $2, $3, $4, $5, $6)";
  private static final String DROP = "select queen.drop_cleared_v1($1, $2, $3)";
  private static final int PARTITIONS = 100;
  private static final int SEGMENTS = 2000;

  private final StoreClient client;
  private final short shard;

  public ClearProcedure(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<RemovalOutcome> clear(String queue, Optional<String> partition) {
    Optional<Problem> problem =
        MessageRules.name("queue", queue)
            .or(() -> partition.flatMap(name -> MessageRules.name("partition", name)));
    return problem.isPresent()
        ? Future.succeededFuture(new RemovalOutcome.Rejected(problem.get()))
        : page(queue, partition, null, 0, new ArrayList<>());
  }

  private Future<RemovalOutcome> page(
      String queue,
      Optional<String> partition,
      @Nullable String after,
      long cleared,
      List<EndedLease> ended) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(queue)
            .addString(partition.orElse(null))
            .addString(after)
            .addInteger(PARTITIONS)
            .addInteger(SEGMENTS);
    return client
        .call(CLEAR, arguments)
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("o_found")) {
                return Future.succeededFuture(new RemovalOutcome.NotFound());
              }
              ended.addAll(ended(row));
              long total = cleared + row.getLong("o_messages");
              @Nullable String last = row.getString("o_last");
              return drop(row.getArrayOfUUIDs("o_more"))
                  .compose(
                      done ->
                          last == null
                              ? Future.succeededFuture(new RemovalOutcome.Removed(total, ended))
                              : page(queue, partition, last, total, ended));
            });
  }

  private Future<Void> drop(UUID[] partitionIds) {
    if (partitionIds.length == 0) {
      return Future.succeededFuture();
    }
    return client
        .call(DROP, Tuple.of(shard).addArrayOfUUID(partitionIds).addInteger(SEGMENTS))
        .recover(Failures::translate)
        .compose(
            rows ->
                rows.iterator().next().getInteger(0) < SEGMENTS
                    ? Future.succeededFuture()
                    : drop(partitionIds));
  }

  private static List<EndedLease> ended(Row row) {
    UUID[] ids = row.getArrayOfUUIDs("o_ended_ids");
    String[] partitions = row.getArrayOfStrings("o_ended_partitions");
    String[] groups = row.getArrayOfStrings("o_ended_groups");
    List<EndedLease> ended = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      ended.add(new EndedLease(ids[i], partitions[i], groups[i]));
    }
    return ended;
  }
}
