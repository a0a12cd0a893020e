package dev.queenmq.server.store;

import io.vertx.sqlclient.Row;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The arrays that {@code ack_v1} answers. */
final class AckAnswer {
  private final @Nullable String[] errors;
  private final @Nullable String[] queues;
  private final @Nullable String[] partitions;
  private final @Nullable Boolean[] released;
  private final Boolean[] dead;

  AckAnswer(Row row) {
    errors = row.getArrayOfStrings("o_error");
    queues = row.getArrayOfStrings("o_queue");
    partitions = row.getArrayOfStrings("o_partition");
    released = row.getArrayOfBooleans("o_released");
    dead = row.getArrayOfBooleans("o_dead");
  }

  AckOutcome outcome(int index) {
    String error = errors[index];
    String queue = queues[index];
    String partition = partitions[index];
    if (error != null || queue == null || partition == null) {
      AckOutcome.Reason reason =
          "lease".equals(error)
              ? AckOutcome.Reason.LEASE_LOST
              : AckOutcome.Reason.MESSAGE_NOT_FOUND;
      return new AckOutcome.Failed(
          reason, Optional.ofNullable(queue), Optional.ofNullable(partition));
    }
    return new AckOutcome.Applied(
        queue, partition, Boolean.TRUE.equals(released[index]), dead[index]);
  }
}
