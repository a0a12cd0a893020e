package dev.queenmq.server.store.ack;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose leases are those that acks name: {@code lease_groups_v1}. Asked only about acks that
 * failed, so that the usual ones cost nothing more.
 */
public final class LeaseGroups {
  private static final String SQL = "select queen.lease_groups_v1($1, $2, $3) as groups";

  private final StoreClient client;
  private final short shard;

  public LeaseGroups(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  /**
   * The groups that hold the leases of acks that lost theirs, by the place of the ack. Without
   * those whose lease has ended.
   *
   * @param required what stands for the lease of an ack without one
   */
  public Future<Map<Integer, String>> find(
      List<Ack> acks, List<AckOutcome> outcomes, List<UUID> required) {
    List<Integer> places = new ArrayList<>();
    List<UUID> partitions = new ArrayList<>();
    List<UUID> leases = new ArrayList<>();
    for (int i = 0; i < acks.size(); i++) {
      if (outcomes.get(i).isLeaseLost()) {
        Ack ack = acks.get(i);
        for (UUID lease :
            ack.leaseId().map(List::of).orElse(ack.groupNamed() ? List.of() : required)) {
          places.add(i);
          partitions.add(ack.partitionId());
          leases.add(lease);
        }
      }
    }
    if (places.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return client
        .call(
            SQL,
            Tuple.of(shard)
                .addArrayOfUUID(partitions.toArray(UUID[]::new))
                .addArrayOfUUID(leases.toArray(UUID[]::new)))
        .recover(Failures::translate)
        .map(
            rows -> {
              @Nullable String[] groups = rows.iterator().next().getArrayOfStrings(0);
              Map<Integer, String> found = new HashMap<>();
              for (int i = 0; i < groups.length; i++) {
                String group = groups[i];
                if (group != null && !group.equals(acks.get(places.get(i)).group())) {
                  found.putIfAbsent(places.get(i), group);
                }
              }
              return found;
            });
  }

  /** The outcome of an ack of a group that does not hold the lease it named. */
  public static AckOutcome mismatch(AckOutcome lost) {
    return lost instanceof AckOutcome.Failed failed
        ? new AckOutcome.Failed(AckOutcome.Reason.OTHER_GROUP, failed.queue(), failed.partition())
        : lost;
  }
}
