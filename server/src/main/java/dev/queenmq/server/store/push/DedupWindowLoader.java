package dev.queenmq.server.store.push;

import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.Micros;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the recent transaction ids of partitions into the memory, without a lock, before they are
 * pushed to: {@code read_transaction_ids_v1}. Owned by the store's event loop.
 */
public final class DedupWindowLoader {
  private static final String SQL = "select * from queen.read_transaction_ids_v1($1, $2, $3, $4)";
  private static final int PAGE = 500;

  private final StoreClient client;
  private final AppendMemory memory;
  private final IdHash hash;
  private final short shard;

  public DedupWindowLoader(StoreClient client, AppendMemory memory, IdHash hash, short shard) {
    this.client = client;
    this.memory = memory;
    this.hash = hash;
    this.shard = shard;
  }

  /** Whether all of it fits into the memory. */
  Future<Boolean> all(List<PushBatch.Recall> recalls) {
    Future<Boolean> fits = Future.succeededFuture(true);
    for (PushBatch.Recall recall : recalls) {
      fits = fits.compose(soFar -> one(recall).map(fit -> soFar && fit));
    }
    return fits;
  }

  private Future<Boolean> one(PushBatch.Recall recall) {
    @Nullable RememberedPartition partition =
        recall.continues() ? known(recall) : beginning(recall);
    // Not shared while it grows here.
    memory.forget(recall.name());
    if (partition == null) {
      return Future.succeededFuture(true); // the next call will have to begin at the beginning
    }
    return page(recall, partition)
        .map(
            fits -> {
              if (!fits) {
                partition.forgetIds();
              }
              memory.put(recall.name(), partition);
              memory.shrink();
              return fits;
            });
  }

  private static RememberedPartition beginning(PushBatch.Recall recall) {
    RememberedPartition partition = new RememberedPartition(recall.partitionId(), recall.window());
    partition.begin(
        recall.from(), recall.from() == 0 ? RememberedPartition.EVERYTHING : recall.window());
    return partition;
  }

  private @Nullable RememberedPartition known(PushBatch.Recall recall) {
    RememberedPartition known = memory.find(recall.name());
    return known != null
            && known.id().equals(recall.partitionId())
            && known.knownUpTo() >= recall.from()
        ? known
        : null;
  }

  private Future<Boolean> page(PushBatch.Recall recall, RememberedPartition partition) {
    return client
        .call(SQL, Tuple.of(shard, recall.partitionId(), partition.knownUpTo(), PAGE))
        .recover(Failures::translate)
        .compose(
            rows -> {
              learn(rows, recall, partition);
              if (!memory.canHold(partition.size())) {
                return Future.succeededFuture(false);
              }
              return rows.size() < PAGE ? Future.succeededFuture(true) : page(recall, partition);
            });
  }

  private void learn(RowSet<Row> rows, PushBatch.Recall recall, RememberedPartition partition) {
    for (Row row : rows) {
      long[] hashes = hash.ofAll(Arrays.asList(row.getArrayOfStrings("transaction_ids")));
      partition.learnAll(
          row.getLong("base_offset"), hashes, hashes.length, Micros.of(recall.now()));
    }
  }
}
