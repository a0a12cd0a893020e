package dev.queenmq.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Pops with autoAck whose reply was lost. What they took counts as done, so only this broker can
 * still deliver it: before the next such pop of the same group from the same queue, the lost one is
 * asked for its messages ({@code popped_v1}), and the next pops get them first. Owned by the
 * store's event loop.
 */
final class LostPops {
  private static final String SQL = "select * from queen.popped_v1($1, $2)";

  /** Beyond, the oldest are given up. */
  private static final int MOST = 10_000;

  /** A pop that was sent under this id. */
  private record Lost(UUID popId, PopRequest request) {}

  /** Messages that a lost pop took. */
  private record Found(PopRequest request, PartitionBatch batch) {}

  private final StoreClient client;
  private final short shard;
  private final Deque<Lost> lost = new ArrayDeque<>();
  private final List<Found> found = new ArrayList<>();

  LostPops(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  boolean isEmpty() {
    return lost.isEmpty() && found.isEmpty();
  }

  /** A pop got no reply. */
  void add(UUID popId, PopRequest request) {
    if (lost.size() >= MOST) {
      lost.removeFirst();
    }
    lost.addLast(new Lost(popId, request));
  }

  /** Asks for what lost pops took that these requests could get. */
  Future<Void> recover(List<PopRequest> requests) {
    Future<Void> done = Future.succeededFuture();
    for (Lost each : List.copyOf(lost)) {
      if (requests.stream().anyMatch(request -> areAlike(each.request, request))) {
        done = done.compose(before -> recover(each));
      }
    }
    return done;
  }

  private Future<Void> recover(Lost pop) {
    return client
        .call(SQL, Tuple.of(shard, pop.popId))
        .recover(Failures::<RowSet<Row>>translate)
        .onSuccess(rows -> accept(pop, rows))
        .mapEmpty();
  }

  private void accept(Lost pop, RowSet<Row> rows) {
    // Two calls may have asked for the same pop.
    if (lost.remove(pop)) {
      List<PartitionBatch> batches = new ArrayList<>();
      rows.forEach(row -> read(row, batches));
      batches.forEach(batch -> found.add(new Found(pop.request, batch)));
    }
  }

  private static void read(Row row, List<PartitionBatch> batches) {
    UUID partitionId = row.getUUID("partition_id");
    if (batches.isEmpty() || !batches.get(batches.size() - 1).partitionId().equals(partitionId)) {
      batches.add(
          new PartitionBatch(
              row.getString("queue"),
              row.getString("partition"),
              partitionId,
              Optional.empty(),
              row.getLong("backlog"),
              new ArrayList<>()));
    }
    List<StoredMessage> messages = batches.get(batches.size() - 1).messages();
    UUID[] ids = row.getArrayOfUUIDs("message_ids");
    String[] transactionIds = row.getArrayOfStrings("transaction_ids");
    String[] payloads = row.getArrayOfStrings("payloads");
    UUID @Nullable [] traceIds = row.getArrayOfUUIDs("trace_ids");
    String @Nullable [] producerSubs = row.getArrayOfStrings("producer_subs");
    for (int i = 0; i < ids.length; i++) {
      messages.add(
          new StoredMessage(
              row.getLong("base_offset") + i,
              ids[i],
              transactionIds[i],
              payloads[i],
              traceIds == null ? null : traceIds[i],
              producerSubs == null ? null : producerSubs[i],
              row.getBoolean("encrypted"),
              row.getOffsetDateTime("created_at").toInstant()));
    }
  }

  /** What was recovered and this request may have: no more than it asks for. */
  List<PartitionBatch> take(PopRequest request) {
    List<PartitionBatch> taken = new ArrayList<>();
    List<Found> rest = new ArrayList<>();
    int left = request.batch();
    for (Iterator<Found> each = found.iterator(); each.hasNext(); ) {
      Found next = each.next();
      if (left > 0 && taken.size() < request.maxPartitions() && mayHave(request, next)) {
        each.remove();
        PartitionBatch batch = next.batch;
        int count = Math.min(left, batch.messages().size());
        taken.add(batch.first(count));
        left -= count;
        if (count < batch.messages().size()) {
          rest.add(new Found(next.request, batch.from(count)));
        }
      }
    }
    found.addAll(0, rest);
    return taken;
  }

  private static boolean mayHave(PopRequest request, Found found) {
    return areAlike(found.request, request)
        && (!(request.target() instanceof PopTarget.Named named)
            || named.partition().equals(found.batch.partition()));
  }

  /** Whether they are of the same group and queue. */
  private static boolean areAlike(PopRequest lost, PopRequest request) {
    return request.autoAck()
        && request.group().equals(lost.group())
        && queue(request).equals(queue(lost));
  }

  private static Optional<String> queue(PopRequest request) {
    return request.target() instanceof PopTarget.Named named
        ? Optional.of(named.queue())
        : ((PopTarget.Candidates) request.target()).queue();
  }
}
