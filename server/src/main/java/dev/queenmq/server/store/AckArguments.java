package dev.queenmq.server.store;

import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The arrays that {@code ack_v1} takes. */
final class AckArguments {
  private final UUID[] partitionIds;
  private final String[] groups;
  private final @Nullable String[] transactionIds;
  private final @Nullable Long[] offsets;
  private final @Nullable UUID[] leaseIds;
  private final String[] verdicts;
  private final @Nullable String[] errors;

  AckArguments(List<Ack> acks) {
    int count = acks.size();
    partitionIds = new UUID[count];
    groups = new String[count];
    transactionIds = new String[count];
    offsets = new Long[count];
    leaseIds = new UUID[count];
    verdicts = new String[count];
    errors = new String[count];
    for (int i = 0; i < count; i++) {
      Ack ack = acks.get(i);
      partitionIds[i] = ack.partitionId();
      groups[i] = ack.group();
      if (ack.message() instanceof MessageRef.ByTransactionId id) {
        transactionIds[i] = id.transactionId();
      } else if (ack.message() instanceof MessageRef.ByOffset offset) {
        offsets[i] = offset.offset();
      }
      leaseIds[i] = ack.leaseId().orElse(null);
      verdicts[i] = ack.verdict().name().toLowerCase(Locale.ROOT);
      errors[i] = ack.error().orElse(null);
    }
  }

  /** As {@code ack_v1} takes them, between the shard and the fence. */
  void addTo(Tuple tuple) {
    tuple
        .addArrayOfUUID(partitionIds)
        .addArrayOfString(groups)
        .addArrayOfString(transactionIds)
        .addArrayOfLong(offsets)
        .addArrayOfUUID(leaseIds)
        .addArrayOfString(verdicts)
        .addArrayOfString(errors);
  }
}
