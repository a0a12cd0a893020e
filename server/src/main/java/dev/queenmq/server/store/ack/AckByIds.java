package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Acks of one call that complete messages of one lease, about which the broker remembers nothing,
 * or not how much of it is done: consumers behind a load balancer send most of their acks to such a
 * broker. The statement compares the transaction ids with those of the segments. A lease whose
 * messages are acked in another order than they were delivered is tried once.
 */
final class AckByIds {
  private static final String SQL = StatementFile.read("ack_by_ids");

  private final List<Ack> acks;
  private final UUID leaseId;
  private final LeaseMemory memory;

  private AckByIds(List<Ack> acks, UUID leaseId, LeaseMemory memory) {
    this.acks = acks;
    this.leaseId = leaseId;
    this.memory = memory;
  }

  /** These acks, if they are nothing but that. */
  static Optional<AckByIds> of(List<Ack> acks, LeaseMemory memory) {
    if (acks.isEmpty()) {
      return Optional.empty();
    }
    Ack first = acks.get(0);
    return first
        .leaseId()
        .filter(leaseId -> !memory.isUnusual(leaseId, first.partitionId()))
        .filter(leaseId -> acks.stream().allMatch(ack -> isLike(first, ack)))
        .map(leaseId -> new AckByIds(acks, leaseId, memory));
  }

  private static boolean isLike(Ack first, Ack ack) {
    return ack.status() == AckStatus.COMPLETED
        && ack.error().isEmpty()
        && ack.message() instanceof MessageRef.ByTransactionId
        && ack.leaseId().equals(first.leaseId())
        && ack.partitionId().equals(first.partitionId())
        && ack.group().equals(first.group())
        && InputRules.ack(ack).isEmpty();
  }

  /** Completes them, all or none: then nothing is answered. */
  Future<Optional<List<AckOutcome>>> settle(StoreClient client, short shard) {
    Ack first = acks.get(0);
    return client
        .quick(
            SQL,
            Tuple.of(shard)
                .addUUID(first.partitionId())
                .addString(first.group())
                .addUUID(leaseId)
                .addArrayOfString(
                    acks.stream()
                        .map(ack -> ((MessageRef.ByTransactionId) ack.message()).transactionId())
                        .toArray(String[]::new)))
        .recover(Failures::translate)
        .map(
            rows -> {
              if (rows.size() == 0) {
                memory.unusual(leaseId, first.partitionId());
                return Optional.empty();
              }
              Row row = rows.iterator().next();
              AckOutcome applied =
                  new AckOutcome.Applied(
                      row.getString(0), row.getString(1), row.getBoolean(2), false);
              return Optional.of(Collections.nCopies(acks.size(), applied));
            });
  }
}
