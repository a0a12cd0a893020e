package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.store.ack.LeaseMemory.Covered;
import dev.queenmq.server.store.call.DatabaseOrder;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Acks of one call as ranges of leases that the broker remembers: each lease is completed from the
 * first message that is not done, without a gap. A call that holds anything else is not taken
 * apart, because it is carried out in one transaction.
 */
final class AckRanges {
  private static final String ONE = StatementFile.read("ack_range");
  private static final String SEVERAL = StatementFile.read("ack_ranges");

  private static final Comparator<Range> BY_CURSOR =
      Comparator.comparing((Range range) -> range.covered.partitionId, DatabaseOrder.UUIDS)
          .thenComparing(range -> range.covered.group, DatabaseOrder.TEXTS);

  /** What is done of one lease. */
  private static final class Range {
    final Covered covered;
    final int from;
    int to;

    /** The last ack on it. */
    int last;

    Range(Covered covered) {
      this.covered = covered;
      from = covered.done();
      to = from;
    }

    boolean isWhole() {
      return to == covered.transactionIds.length;
    }

    AckOutcome.Applied applied(Ack ack) {
      AckOutcome.Applied applied =
          new AckOutcome.Applied(covered.queue, covered.partition, isWhole(), false);
      return ack.group().equals(covered.group) ? applied : applied.of(covered.group);
    }
  }

  private final LeaseMemory memory;
  private final List<Ack> acks;
  private final Map<Covered, Range> ranges = new LinkedHashMap<>();

  /** The range of each ack. */
  private final @Nullable Range[] ofVerdicts;

  private boolean complete = true;

  /** What these acks are, as far as the memory knows. */
  AckRanges(List<Ack> acks, LeaseMemory memory) {
    this.acks = acks;
    this.memory = memory;
    ofVerdicts = new Range[acks.size()];
    @Nullable Range last = null;
    for (int i = 0; i < acks.size(); i++) {
      last = add(i, acks.get(i), last);
      complete &= last != null;
    }
  }

  /** Whether they are nothing but ranges. */
  boolean isComplete() {
    return complete && !ranges.isEmpty();
  }

  private @Nullable Range add(int place, Ack ack, @Nullable Range before) {
    @Nullable UUID leaseId = ack.leaseId().orElse(null);
    if (leaseId == null) {
      return null;
    }
    @Nullable Range range = before;
    if (range == null
        || !range.covered.leaseId.equals(leaseId)
        || !range.covered.partitionId.equals(ack.partitionId())) {
      range = range(leaseId, ack.partitionId());
    }
    if (range == null) {
      return null;
    }
    if (!continues(range, ack)) {
      // Another broker has taken acks of this lease, or they come in another order than they were
      // delivered: PostgreSQL has to look for these, now and later.
      memory.forget(range.covered);
      return null;
    }
    range.to++;
    range.last = place;
    ofVerdicts[place] = range;
    return range;
  }

  private @Nullable Range range(UUID leaseId, UUID partitionId) {
    @Nullable Covered covered = memory.find(leaseId, partitionId);
    return covered == null ? null : ranges.computeIfAbsent(covered, Range::new);
  }

  private static boolean continues(Range range, Ack ack) {
    Covered covered = range.covered;
    if (range.isWhole()
        || ack.status() != AckStatus.COMPLETED
        || ack.error().isPresent()
        || (ack.groupNamed() && !ack.group().equals(covered.group))) {
      return false;
    }
    return ack.message() instanceof MessageRef.ByTransactionId id
        ? id.transactionId().equals(covered.transactionIds[range.to])
        : ((MessageRef.ByOffset) ack.message()).offset() == covered.low + range.to;
  }

  /**
   * Completes them, all or none: then something is not as the broker remembers it, and nothing is
   * answered.
   */
  Future<Optional<List<AckOutcome>>> settle(StoreClient client, short shard) {
    return (ranges.size() == 1 ? one(client, shard) : several(client, shard))
        .recover(Failures::translate)
        .map(
            changed -> {
              boolean settled = changed == ranges.size();
              for (Range range : ranges.values()) {
                if (settled) {
                  memory.done(range.covered, range.to);
                } else {
                  memory.forget(range.covered);
                }
              }
              return settled ? Optional.of(outcomes()) : Optional.empty();
            });
  }

  /** They were applied by {@code ack_v1}, with others: updates what the next acks should name. */
  void judged(List<AckOutcome> outcomes) {
    for (Range range : ranges.values()) {
      if (range.to > range.from && outcomes.get(range.last) instanceof AckOutcome.Applied) {
        memory.done(range.covered, range.to);
      }
    }
  }

  private Future<Integer> one(StoreClient client, short shard) {
    Range range = ranges.values().iterator().next();
    Covered covered = range.covered;
    return client
        .quick(
            ONE,
            Tuple.of(shard)
                .addUUID(covered.partitionId)
                .addString(covered.group)
                .addUUID(covered.leaseId)
                .addLong(covered.low)
                .addLong(covered.high())
                .addLong(covered.low + range.from)
                .addLong(covered.low + range.to))
        .map(RowSet::rowCount);
  }

  private Future<Integer> several(StoreClient client, short shard) {
    List<Range> sorted = new ArrayList<>(ranges.values());
    sorted.sort(BY_CURSOR);
    int count = sorted.size();
    UUID[] partitionIds = new UUID[count];
    String[] groups = new String[count];
    UUID[] leaseIds = new UUID[count];
    Long[] lows = new Long[count];
    Long[] highs = new Long[count];
    Long[] froms = new Long[count];
    Long[] tos = new Long[count];
    for (int i = 0; i < count; i++) {
      Covered covered = sorted.get(i).covered;
      partitionIds[i] = covered.partitionId;
      groups[i] = covered.group;
      leaseIds[i] = covered.leaseId;
      lows[i] = covered.low;
      highs[i] = covered.high();
      froms[i] = covered.low + sorted.get(i).from;
      tos[i] = covered.low + sorted.get(i).to;
    }
    return client
        .quick(
            SEVERAL,
            Tuple.of(shard)
                .addArrayOfUUID(partitionIds)
                .addArrayOfString(groups)
                .addArrayOfUUID(leaseIds)
                .addArrayOfLong(lows)
                .addArrayOfLong(highs)
                .addArrayOfLong(froms)
                .addArrayOfLong(tos))
        .map(RowSet::rowCount);
  }

  /** One object for all consecutive acks of a lease: a reader can skip the others. */
  private List<AckOutcome> outcomes() {
    AckOutcome[] outcomes = new AckOutcome[acks.size()];
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] =
          i > 0 && ofVerdicts[i] == ofVerdicts[i - 1] && isAlike(acks.get(i), acks.get(i - 1))
              ? outcomes[i - 1]
              : Objects.requireNonNull(ofVerdicts[i]).applied(acks.get(i));
    }
    return Arrays.asList(outcomes);
  }

  private static boolean isAlike(Ack one, Ack other) {
    return one.group().equals(other.group());
  }
}
