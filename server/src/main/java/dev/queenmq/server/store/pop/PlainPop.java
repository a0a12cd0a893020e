package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
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
 * <p>Every request of the call must name one candidate, and no two the same cursor: then none
 * depends on what another leaves. Requests with autoAck have to be written down with what they
 * took, and go to {@code pop_v1}.
 *
 * <p>Lease ids are made here. A lease over one partition carries the partition in its first 48
 * bits, so that it is found by its id alone, and the version digit 8 says so.
 */
final class PlainPop {
  private static final String ONE = StatementFile.read("pop_one");
  private static final String SEVERAL = StatementFile.read("pop_several");

  private static final long PARTITION_BITS = 0xFFFF_FFFF_FFFF_0000L;
  private static final long ONE_PARTITION = 0x8000L;
  private static final long RANDOM_BITS = 0x0FFFL;

  /** Where the number of the request stands in a row of the statement for several. */
  private static final int PLACE = 15;

  private final List<PopRequest> requests;
  private final UUID[] leaseIds;

  private PlainPop(List<PopRequest> requests) {
    this.requests = requests;
    leaseIds = new UUID[requests.size()];
    for (int i = 0; i < leaseIds.length; i++) {
      leaseIds[i] = leaseId(candidate(requests.get(i)));
    }
  }

  /** These requests; empty if one of them is of another kind, or was in vain lately. */
  static Optional<PlainPop> of(List<PopRequest> requests, PopMisses misses) {
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
    return usual ? Optional.of(new PlainPop(requests)) : Optional.empty();
  }

  /** The one partition that such a request names. */
  static UUID candidate(PopRequest request) {
    return ((PopTarget.Candidates) request.target()).partitionIds().get(0);
  }

  static CursorKey cursor(PopRequest request) {
    return new CursorKey(candidate(request), request.group());
  }

  private static UUID leaseId(UUID partitionId) {
    UUID random = UUID.randomUUID();
    return new UUID(
        (partitionId.getMostSignificantBits() & PARTITION_BITS)
            | ONE_PARTITION
            | (random.getMostSignificantBits() & RANDOM_BITS),
        random.getLeastSignificantBits());
  }

  /** The id of the lease that a request gets. */
  UUID leaseId(int request) {
    return leaseIds[request];
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
            ? client.call(ONE, one(shard, bytes))
            : client.call(SEVERAL, several(shard, bytes / leaseIds.length)))
        .recover(Failures::<RowSet<Row>>translate);
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
    for (int i = 0; i < count; i++) {
      PopRequest request = requests.get(i);
      partitionIds[i] = candidate(request);
      groups[i] = request.group();
      batches[i] = request.batch();
      holders[i] = request.holder().json();
    }
    return Tuple.of(shard)
        .addArrayOfUUID(partitionIds)
        .addArrayOfString(groups)
        .addArrayOfInteger(batches)
        .addArrayOfUUID(leaseIds)
        .addArrayOfString(holders)
        .addLong(bytes);
  }
}
