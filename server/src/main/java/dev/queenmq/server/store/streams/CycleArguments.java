package dev.queenmq.server.store.streams;

import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import dev.queenmq.server.store.push.PushBatch;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What {@code stream_cycle_v1} takes before the arguments of a push. */
final class CycleArguments {
  private CycleArguments() {}

  static Tuple of(short shard, Cycle cycle, PushBatch call) {
    boolean keyed = cycle.idempotencyKey().isPresent();
    Tuple arguments =
        Tuple.of(shard)
            .addUUID(cycle.queryId())
            .addUUID(cycle.partitionId())
            .addString(cycle.group())
            .addString(cycle.idempotencyKey().orElse(null));
    changes(arguments, cycle.changes());
    consumed(arguments, cycle.consumed().orElse(null));
    return arguments
        .addArrayOfInteger(keyed ? call.sentAt() : null)
        .addArrayOfBoolean(keyed ? call.inBatchDuplicates() : null);
  }

  /** Applied in order, the last change of a key is what remains of all. */
  private static void changes(Tuple arguments, List<StateChange> changes) {
    Map<String, StateChange> last = new LinkedHashMap<>();
    changes.forEach(change -> last.put(change.key(), change));
    List<String> removed = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<@Nullable Double> windowEnds = new ArrayList<>();
    for (StateChange change : last.values()) {
      if (change instanceof StateChange.Put put) {
        OptionalDouble end = put.windowEnd();
        keys.add(put.key());
        values.add(put.value());
        windowEnds.add(end.isPresent() ? end.getAsDouble() : null);
      } else {
        removed.add(change.key());
      }
    }
    arguments
        .addInteger(changes.size())
        .addArrayOfString(removed.toArray(String[]::new))
        .addArrayOfString(keys.toArray(String[]::new))
        .addArrayOfString(values.toArray(String[]::new))
        .addArrayOfDouble(windowEnds.toArray(Double[]::new));
  }

  private static void consumed(Tuple arguments, Cycle.@Nullable Consumed consumed) {
    if (consumed == null) {
      arguments
          .addString(null)
          .addUUID(null)
          .addString(null)
          .addInteger(null)
          .addString(null)
          .addBoolean(null);
      return;
    }
    UUID lease = consumed.leaseId().orElse(null);
    arguments
        .addString(consumed.transactionId())
        .addUUID(lease)
        .addString(consumed.failure().isPresent() ? "dlq" : "completed")
        .addInteger(consumed.count())
        .addString(consumed.failure().orElse(null))
        .addBoolean(consumed.releaseLease());
  }
}
