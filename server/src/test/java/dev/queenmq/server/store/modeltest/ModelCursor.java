package dev.queenmq.server.store.modeltest;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** How far a group is in a partition of the model. */
final class ModelCursor {
  private static final int LARGEST_DOUBLED = 1024;

  long committed;
  final Set<Long> acked = new HashSet<>();
  Optional<ModelLease> lease = Optional.empty();
  Optional<Instant> notBefore = Optional.empty();
  Optional<Integer> cap = Optional.empty();
  long loneOffset = -1;
  int loneDeliveries;
  final Map<Long, Integer> failures = new HashMap<>();

  /** How often each message was handed out. */
  final Map<Long, Integer> deliveries = new HashMap<>();

  ModelCursor(long committed) {
    this.committed = committed;
  }

  ModelCursor copy() {
    ModelCursor copy = new ModelCursor(committed);
    copy.acked.addAll(acked);
    copy.lease = lease;
    copy.notBefore = notBefore;
    copy.cap = cap;
    copy.loneOffset = loneOffset;
    copy.loneDeliveries = loneDeliveries;
    copy.failures.putAll(failures);
    copy.deliveries.putAll(deliveries);
    return copy;
  }

  boolean isDone(long offset) {
    return offset < committed || acked.contains(offset);
  }

  void done(long offset) {
    acked.add(offset);
    failures.remove(offset);
  }

  /** Moves up over what is done; retention counts as done. */
  void settle(long first) {
    committed = Math.max(committed, first);
    while (acked.contains(committed)) {
      committed++;
    }
    acked.removeIf(offset -> offset < committed);
    failures.keySet().removeIf(offset -> offset < committed);
    deliveries.keySet().removeIf(offset -> offset < committed);
  }

  boolean isLeased(Instant now) {
    return lease.isPresent() && lease.get().isLive(now);
  }

  boolean isLeasedUnder(UUID id, Instant now) {
    return isLeased(now) && lease.orElseThrow().id().equals(id);
  }

  /** How many messages of the lease are not done. */
  int open() {
    return (int)
        lease.stream().flatMap(l -> l.covers().stream()).filter(offset -> !isDone(offset)).count();
  }

  void answeredCompletely() {
    lease = Optional.empty();
    cap = cap.filter(c -> c <= LARGEST_DOUBLED).map(c -> c * 2);
  }

  /** One message was delivered alone. */
  void deliveredAlone(long offset) {
    loneDeliveries = loneOffset == offset ? loneDeliveries + 1 : 1;
    loneOffset = offset;
  }
}
