package dev.queenmq.bench.audit;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** All that the store has promised, and all that it has delivered. Safe for any thread. */
final class Ledger {
  private record PushKey(int producer, int partition) {}

  private record CursorKey(int partition, String group) {}

  private final Violations violations = new Violations();
  private final Tally tally = new Tally();
  private final Map<PushKey, PushLedger> pushes = new ConcurrentHashMap<>();
  private final Map<CursorKey, CursorLedger> cursors = new ConcurrentHashMap<>();
  private final Map<UUID, Integer> partitions = new ConcurrentHashMap<>();
  private final int producerCount;
  private final int partitionCount;

  Ledger(int producers, int partitions) {
    this.producerCount = producers;
    this.partitionCount = partitions;
  }

  Violations violations() {
    return violations;
  }

  Tally tally() {
    return tally;
  }

  int partitionCount() {
    return partitionCount;
  }

  List<Integer> producers() {
    return IntStream.range(0, producerCount).boxed().toList();
  }

  PushLedger pushes(int producer, int partition) {
    return pushes.computeIfAbsent(new PushKey(producer, partition), key -> new PushLedger());
  }

  CursorLedger cursor(String partition, String group) {
    return cursors.computeIfAbsent(
        new CursorKey(Names.partitionIndex(partition), group),
        key -> new CursorLedger(partition + "/" + group, violations));
  }

  /** The partitions' ids, as pushes tell them. */
  void partitionIs(int partition, UUID id) {
    Integer other = partitions.putIfAbsent(id, partition);
    if (other != null && other != partition) {
      violations.add(Violation.PHANTOM, "partitions " + other + " and " + partition + " are one");
    }
  }

  /** Whether a push to the audited queue was answered with this partition. */
  boolean isAudited(UUID partition) {
    return partitions.containsKey(partition);
  }
}
