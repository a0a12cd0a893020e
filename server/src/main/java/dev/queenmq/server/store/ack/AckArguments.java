package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.store.call.DatabaseOrder;
import dev.queenmq.server.store.call.Outcomes;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that {@code ack_v1} takes, and how its answer is read: acks sorted by cursor, in the
 * order of the locks.
 */
public final class AckArguments {
  private static final Comparator<Ack> BY_CURSOR =
      Comparator.comparing(Ack::partitionId, DatabaseOrder.UUIDS)
          .thenComparing(Ack::group, DatabaseOrder.TEXTS);

  private final List<Ack> acks;
  private final List<Integer> order;
  private final List<UUID> cursorIds = new ArrayList<>();
  private final List<String> cursorGroups = new ArrayList<>();
  private final List<Integer> cursorCounts = new ArrayList<>();
  private final List<@Nullable UUID> cursorLeases = new ArrayList<>();
  private boolean plain = true;

  public AckArguments(List<Ack> acks) {
    this.acks = acks;
    order = new ArrayList<>(acks.size());
    for (int i = 0; i < acks.size(); i++) {
      order.add(i);
    }
    if (!sorted()) {
      order.sort(Comparator.comparing(acks::get, BY_CURSOR));
    }
    int start = 0;
    while (start < order.size()) {
      start = addCursor(start);
    }
  }

  /** As {@code ack_v1} takes them, between the shard and the fence. */
  public void addTo(Tuple tuple) {
    tuple
        .addArrayOfUUID(cursorIds.toArray(UUID[]::new))
        .addArrayOfString(cursorGroups.toArray(String[]::new))
        .addArrayOfInteger(cursorCounts.toArray(Integer[]::new))
        .addArrayOfUUID(cursorLeases.toArray(UUID[]::new))
        .addArrayOfString(transactionIds())
        .addArrayOfLong(offsets())
        .addArrayOfUUID(plain ? null : leaseIds())
        .addArrayOfString(plain ? null : statuses())
        .addArrayOfString(plain ? null : errors());
  }

  /** Where each ack sent stands in the caller's list. */
  public List<Integer> order() {
    return order;
  }

  private @Nullable String @Nullable [] transactionIds() {
    @Nullable String @Nullable [] ids = null;
    for (int i = 0; i < acks.size(); i++) {
      if (acks.get(order.get(i)).message() instanceof MessageRef.ByTransactionId id) {
        ids = ids == null ? new String[acks.size()] : ids;
        ids[i] = id.transactionId();
      }
    }
    return ids;
  }

  private @Nullable Long @Nullable [] offsets() {
    @Nullable Long @Nullable [] offsets = null;
    for (int i = 0; i < acks.size(); i++) {
      if (acks.get(order.get(i)).message() instanceof MessageRef.ByOffset offset) {
        offsets = offsets == null ? new Long[acks.size()] : offsets;
        offsets[i] = offset.offset();
      }
    }
    return offsets;
  }

  private @Nullable UUID[] leaseIds() {
    return order.stream().map(i -> acks.get(i).leaseId().orElse(null)).toArray(UUID[]::new);
  }

  private String[] statuses() {
    return order.stream()
        .map(i -> acks.get(i).status().name().toLowerCase(Locale.ROOT))
        .toArray(String[]::new);
  }

  private @Nullable String[] errors() {
    return order.stream().map(i -> acks.get(i).error().orElse(null)).toArray(String[]::new);
  }

  /** The outcomes, in the order of the acks as they were given. */
  public List<AckOutcome> outcomes(Row row) {
    @Nullable String[] queues = row.getArrayOfStrings("o_queue");
    @Nullable String[] partitions = row.getArrayOfStrings("o_partition");
    @Nullable Boolean[] released = row.getArrayOfBooleans("o_released");
    @Nullable String @Nullable [] errors = row.getArrayOfStrings("o_error");
    Boolean @Nullable [] dead = row.getArrayOfBooleans("o_dead");
    @Nullable AckOutcome[] outcomes = new AckOutcome[acks.size()];
    int next = 0;
    for (int cursor = 0; cursor < cursorCounts.size(); cursor++) {
      for (int k = 0; k < cursorCounts.get(cursor); k++) {
        outcomes[order.get(next)] =
            outcome(
                queues[cursor],
                partitions[cursor],
                Boolean.TRUE.equals(released[cursor]),
                errors == null ? null : errors[next],
                dead != null && dead[next]);
        next++;
      }
    }
    return Outcomes.complete(outcomes);
  }

  private static AckOutcome outcome(
      @Nullable String queue,
      @Nullable String partition,
      boolean released,
      @Nullable String error,
      boolean dead) {
    if (error != null || queue == null || partition == null) {
      return new AckOutcome.Failed(
          reason(error), Optional.ofNullable(queue), Optional.ofNullable(partition));
    }
    return new AckOutcome.Applied(queue, partition, released, dead);
  }

  private static AckOutcome.Reason reason(@Nullable String error) {
    if ("lease".equals(error)) {
      return AckOutcome.Reason.LEASE_LOST;
    }
    return "group".equals(error)
        ? AckOutcome.Reason.UNKNOWN_GROUP
        : AckOutcome.Reason.MESSAGE_NOT_FOUND;
  }

  private boolean sorted() {
    for (int i = 1; i < acks.size(); i++) {
      if (BY_CURSOR.compare(acks.get(i - 1), acks.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Takes the acks on the cursor that stands at this place of the order. */
  private int addCursor(int start) {
    Ack first = acks.get(order.get(start));
    boolean byOffset = first.message() instanceof MessageRef.ByOffset;
    boolean alike = first.leaseId().isPresent();
    int end = start;
    while (end < order.size() && BY_CURSOR.compare(first, acks.get(order.get(end))) == 0) {
      Ack ack = acks.get(order.get(end));
      alike &=
          ack.status() == AckStatus.COMPLETED
              && ack.leaseId().equals(first.leaseId())
              && byOffset == ack.message() instanceof MessageRef.ByOffset;
      end++;
    }
    cursorIds.add(first.partitionId());
    cursorGroups.add(first.group());
    cursorCounts.add(end - start);
    cursorLeases.add(alike ? first.leaseId().orElse(null) : null);
    plain &= alike;
    return end;
  }
}
