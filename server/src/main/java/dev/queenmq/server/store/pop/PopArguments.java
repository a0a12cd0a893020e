package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What {@code pop_v1} and {@code first_contact_v1} take. */
final class PopArguments {
  private PopArguments() {}

  /**
   * The arguments that both take.
   *
   * @param sent the requests of the call
   */
  static Tuple of(short shard, List<PopRequest> requests, List<Integer> sent) {
    int count = sent.size();
    @Nullable String[] queues = new String[count];
    @Nullable String[] partitions = new String[count];
    String[] groups = new String[count];
    Integer[] batches = new Integer[count];
    Integer[] maxPartitions = new Integer[count];
    Boolean[] autoAcks = new Boolean[count];
    String[] modes = new String[count];
    @Nullable OffsetDateTime[] froms = new OffsetDateTime[count];
    boolean named = false;
    boolean simple = true;
    Set<CursorKey> distinct = new HashSet<>();
    List<Integer> candidateRequests = new ArrayList<>();
    List<UUID> candidateIds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PopRequest request = requests.get(sent.get(i));
      groups[i] = request.group();
      batches[i] = request.batch();
      maxPartitions[i] = request.maxPartitions();
      autoAcks[i] = request.autoAck();
      if (request.target() instanceof PopTarget.Named target) {
        queues[i] = target.queue();
        partitions[i] = target.partition();
        named = true;
      } else if (request.target() instanceof PopTarget.Candidates candidates) {
        queues[i] = candidates.queue().orElse(null);
        int size = candidates.partitionIds().size();
        simple &= size > 0 && size <= request.maxPartitions();
        for (UUID id : candidates.partitionIds()) {
          candidateRequests.add(i + 1);
          candidateIds.add(id);
          distinct.add(new CursorKey(id, request.group()));
        }
      }
      if (request.subscription() instanceof Subscription.After after) {
        modes[i] = "timestamp";
        froms[i] = after.moment().atOffset(ZoneOffset.UTC);
      } else {
        modes[i] = request.subscription() instanceof Subscription.New ? "new" : "all";
      }
    }
    return Tuple.of(shard)
        .addArrayOfString(queues)
        .addArrayOfString(partitions)
        .addArrayOfString(groups)
        .addArrayOfInteger(batches)
        .addArrayOfInteger(maxPartitions)
        .addArrayOfBoolean(autoAcks)
        .addArrayOfString(modes)
        .addArrayOfOffsetDateTime(froms)
        .addBoolean(named)
        .addBoolean(simple && !named && distinct.size() == candidateIds.size())
        .addArrayOfInteger(candidateRequests.toArray(Integer[]::new))
        .addArrayOfUUID(candidateIds.toArray(UUID[]::new));
  }

  /** Who gets the lease of each request. */
  static @Nullable String[] holders(List<PopRequest> requests, List<Integer> sent) {
    @Nullable String[] holders = new String[sent.size()];
    for (int i = 0; i < holders.length; i++) {
      holders[i] = requests.get(sent.get(i)).holder().json();
    }
    return holders;
  }
}
