package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.LeaseIds;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.recent.RecentMessages;
import dev.queenmq.server.store.recent.RecentRun;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Pops of one call as one plain statement.
 *
 * <p>Most pops are alike: the ready list names a partition that it believes to have messages.
 * Nothing has failed in it, no lease on it has expired, and its queue has no option that a pop must
 * look at. The statement says all of that as conditions on the cursor that it leases. It also
 * answers that the partition is empty or leased. Everything else goes to {@code pop_v1}, which
 * decides everything. So a wrong belief costs one statement more, and nothing else. A statement
 * whose answer is lost has given leases that expire, as one of {@code pop_v1} has.
 *
 * <p>What the pops are about to give may be in memory ({@link RecentMessages}). Then the statement
 * is told which offsets, and does not read their segments. One request alone has a statement
 * without segments for that: to set them up takes it a third of its time. If it finds another range
 * than the one in memory it changes nothing, and the usual statement follows; a group to which that
 * happens is behind the others, and the statement is tried less often for it ({@link PopMisses}).
 *
 * <p>Every request of the call must name one candidate, and no two the same cursor: then none
 * depends on what another leaves. Requests with autoAck have to be written down with what they
 * took, and go to {@code pop_v1}.
 *
 * <p>Lease ids are made here: see {@link LeaseIds}.
 */
final class PlainPop {
  private static final String ONE = StatementFile.read("pop_one");
  private static final String ONE_RECENT = StatementFile.read("pop_one_recent");
  private static final String SEVERAL = StatementFile.read("pop_several");

  /** Where the number of the request stands in a row of the statement for several. */
  private static final int PLACE = 15;

  private static final int USUAL = 0;
  private static final int LEASED_UNTIL = 3;
  private static final int END = 4;
  private static final int LOW = 5;

  private final List<PopRequest> requests;
  private final UUID[] leaseIds;
  private final @Nullable RecentRun[] runs;

  private final PopMisses recentMisses;

  private PlainPop(List<PopRequest> requests, RecentMessages recent, PopMisses recentMisses) {
    this.requests = requests;
    this.recentMisses = recentMisses;
    leaseIds = new UUID[requests.size()];
    runs = new RecentRun[requests.size()];
    for (int i = 0; i < leaseIds.length; i++) {
      UUID partitionId = candidate(requests.get(i));
      leaseIds[i] = LeaseIds.over(partitionId);
      runs[i] = recent.find(partitionId);
    }
  }

  /** These requests; empty if one of them is of another kind, or was in vain lately. */
  static Optional<PlainPop> of(
      List<PopRequest> requests, PopMisses misses, RecentMessages recent, PopMisses recentMisses) {
    boolean usual = true;
    Set<CursorKey> cursors = new HashSet<>();
    for (PopRequest request : requests) {
      if (request.autoAck()
          || !(request.target() instanceof PopTarget.Candidates candidates)
          || candidates.partitionIds().size() != 1) {
        return Optional.empty();
      }
      CursorKey cursor = cursor(request);
      // All of them are asked: each counts how often it is passed over.
      usual &= misses.mayTry(cursor) && (requests.size() == 1 || cursors.add(cursor));
    }
    return usual ? Optional.of(new PlainPop(requests, recent, recentMisses)) : Optional.empty();
  }

  /** The one partition that such a request names. */
  static UUID candidate(PopRequest request) {
    return ((PopTarget.Candidates) request.target()).partitionIds().get(0);
  }

  static CursorKey cursor(PopRequest request) {
    return new CursorKey(candidate(request), request.group());
  }

  /** The id of the lease that a request gets. */
  UUID leaseId(int request) {
    return leaseIds[request];
  }

  /** The messages that a request got, if they were in memory: then the row has none. */
  Optional<List<StoredMessage>> fromMemory(int request, Row row) {
    @Nullable RecentRun run = runs[request];
    long low = row.getLong(LOW);
    long high = high(request, row);
    return run != null && run.covers(low, high)
        ? Optional.of(run.slice(low, high))
        : Optional.empty();
  }

  private long high(int request, Row row) {
    return Math.min(row.getLong(LOW) + requests.get(request).batch(), row.getLong(END));
  }

  /** The request that a row answers: its place among the requests. */
  int request(Row row) {
    return leaseIds.length == 1 ? 0 : row.getInteger(PLACE) - 1;
  }

  /**
   * Leases what can be leased at once.
   *
   * @param bytes room for the answers of all of them
   */
  Future<RowSet<Row>> run(StoreClient client, short shard, long bytes) {
    return (leaseIds.length == 1
            ? one(client, shard, bytes)
            : client.quick(SEVERAL, several(shard, bytes / leaseIds.length)))
        .recover(Failures::<RowSet<Row>>translate);
  }

  private Future<RowSet<Row>> one(StoreClient client, short shard, long bytes) {
    @Nullable RecentRun run = runs[0];
    CursorKey cursor = cursor(requests.get(0));
    if (run == null || !recentMisses.mayTry(cursor)) {
      runs[0] = null;
      return client.quick(ONE, one(shard, bytes));
    }
    return client
        .quick(ONE_RECENT, one(shard, bytes).addLong(run.from()).addLong(run.to()))
        .compose(
            rows -> {
              if (!isElsewhere(rows, run)) {
                recentMisses.found(cursor);
                return Future.succeededFuture(rows);
              }
              recentMisses.missed(cursor);
              runs[0] = null;
              return client.quick(ONE, one(shard, bytes));
            });
  }

  /** Whether there is something to give that is not in memory. */
  private boolean isElsewhere(RowSet<Row> rows, RecentRun run) {
    if (!rows.iterator().hasNext()) {
      return false;
    }
    Row row = rows.iterator().next();
    return !row.getBoolean(USUAL)
        && row.getOffsetDateTime(LEASED_UNTIL) == null
        && row.getLong(LOW) < row.getLong(END)
        && !run.covers(row.getLong(LOW), high(0, row));
  }

  private Tuple one(short shard, long bytes) {
    PopRequest request = requests.get(0);
    return Tuple.of(shard)
        .addUUID(candidate(request))
        .addString(request.group())
        .addInteger(request.batch())
        .addUUID(leaseIds[0])
        .addString(request.holder().json())
        .addLong(bytes);
  }

  private Tuple several(short shard, long bytes) {
    int count = leaseIds.length;
    UUID[] partitionIds = new UUID[count];
    String[] groups = new String[count];
    Integer[] batches = new Integer[count];
    @Nullable String[] holders = new String[count];
    Long[] from = new Long[count];
    Long[] to = new Long[count];
    for (int i = 0; i < count; i++) {
      PopRequest request = requests.get(i);
      partitionIds[i] = candidate(request);
      groups[i] = request.group();
      batches[i] = request.batch();
      holders[i] = request.holder().json();
      @Nullable RecentRun run = runs[i];
      from[i] = run == null ? 0 : run.from();
      to[i] = run == null ? 0 : run.to();
    }
    return Tuple.of(shard)
        .addArrayOfUUID(partitionIds)
        .addArrayOfString(groups)
        .addArrayOfInteger(batches)
        .addArrayOfUUID(leaseIds)
        .addArrayOfString(holders)
        .addArrayOfLong(from)
        .addArrayOfLong(to)
        .addLong(bytes);
  }
}
