package dev.queenmq.server.store.push;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The arrays that {@code push_v1} answers, read once. */
public final class PushAnswer {
  private final int[] slots;
  private final UUID[] partitionIds;
  private final Long[] baseOffsets;
  private final OffsetDateTime[] createdAt;
  private final Integer[] windows;
  private final Boolean[] recalls;
  private final Boolean @Nullable [] encrypted;
  private final Long[] unseenFrom;
  private final int[] unseenStart;
  private final List<String> unseenIds;
  private final Map<Integer, UUID> duplicates;
  private final Boolean[] full;
  private final OptionalLong transaction;

  public PushAnswer(Row row, int targets) {
    slots = new int[targets];
    Arrays.fill(slots, -1);
    Integer[] existing = orEmpty(row.getArrayOfIntegers("target"), new Integer[0]);
    partitionIds = orEmpty(row.getArrayOfUUIDs("partition_id"), new UUID[0]);
    baseOffsets = orEmpty(row.getArrayOfLongs("base_offset"), new Long[0]);
    createdAt = orEmpty(row.getArrayOfOffsetDateTimes("created_at"), new OffsetDateTime[0]);
    windows = orEmpty(row.getArrayOfIntegers("dedup_window"), new Integer[0]);
    recalls = orEmpty(row.getArrayOfBooleans("recall"), new Boolean[0]);
    encrypted = row.getArrayOfBooleans("encrypted");
    unseenFrom = orEmpty(row.getArrayOfLongs("unseen_from"), new Long[0]);
    unseenIds = Arrays.asList(orEmpty(row.getArrayOfStrings("unseen_ids"), new String[0]));
    unseenStart = new int[existing.length];
    int start = 0;
    for (int slot = 0; slot < existing.length; slot++) {
      slots[existing[slot] - 1] = slot;
      unseenStart[slot] = start;
      if (!recalls[slot]) {
        start += Math.toIntExact(baseOffsets[slot] - unseenFrom[slot]);
      }
    }
    full = orEmpty(row.getArrayOfBooleans("no_room"), new Boolean[0]);
    Long xid = row.getLong("xid");
    transaction = xid == null ? OptionalLong.empty() : OptionalLong.of(xid);
    duplicates =
        duplicates(
            row.getArrayOfIntegers("duplicate_message"), row.getArrayOfUUIDs("duplicate_id"));
  }

  /** The transaction, if it appended anything. */
  public OptionalLong transaction() {
    return transaction;
  }

  /** Whether the partition existed; if not, nothing else may be asked of the target. */
  boolean exists(int target) {
    return slots[target] >= 0;
  }

  UUID partitionId(int target) {
    return partitionIds[slots[target]];
  }

  long baseOffset(int target) {
    return baseOffsets[slots[target]];
  }

  Instant createdAt(int target) {
    return createdAt[slots[target]].toInstant();
  }

  int window(int target) {
    return windows[slots[target]];
  }

  boolean recall(int target) {
    return recalls[slots[target]];
  }

  /** Whether the target's queue is encrypted. */
  boolean encrypted(int target) {
    return encrypted != null && encrypted[slots[target]];
  }

  long unseenFrom(int target) {
    return unseenFrom[slots[target]];
  }

  /** The ids from {@link #unseenFrom} to {@link #baseOffset}. */
  List<String> unseenIds(int target) {
    int slot = slots[target];
    int start = unseenStart[slot];
    int count = recalls[slot] ? 0 : Math.toIntExact(baseOffsets[slot] - unseenFrom[slot]);
    return count == 0 ? List.of() : unseenIds.subList(start, start + count);
  }

  /** The id of the message that the one at this position of the call repeats, or null. */
  @Nullable UUID duplicateOf(int position) {
    return duplicates.isEmpty() ? null : duplicates.get(position + 1);
  }

  /** Whether the message at this position of the call has no room in its queue. */
  boolean full(int position) {
    return full.length > 0 && full[position];
  }

  private static Map<Integer, UUID> duplicates(
      Integer @Nullable [] positions, UUID @Nullable [] ids) {
    Map<Integer, UUID> map = new HashMap<>();
    if (positions != null && ids != null) {
      for (int i = 0; i < positions.length; i++) {
        map.put(positions[i], ids[i]);
      }
    }
    return map;
  }

  private static <T> T[] orEmpty(T @Nullable [] array, T[] empty) {
    return array == null ? empty : array;
  }
}
