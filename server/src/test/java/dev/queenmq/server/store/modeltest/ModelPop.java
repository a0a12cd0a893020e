package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.SkippedPartition.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a pop does, by the rules of docs/internals/store.md. One instance serves one call. */
final class ModelPop {
  private static final long LEASES = 0x1ea5eL << 32;

  private record Taken(UUID partitionId, String group) {}

  private final ModelState state;
  private final int number;
  private final Set<Taken> taken = new HashSet<>();

  ModelPop(ModelState state, int number) {
    this.state = state;
    this.number = number;
  }

  /** The lease that a request of a numbered pop gets. */
  static UUID leaseId(int number, int request) {
    return new UUID(LEASES | number, request);
  }

  List<PopOutcome> pop(List<PopRequest> requests) {
    new ModelFirstContact(state).decide(requests);
    return serve(requests);
  }

  private List<PopOutcome> serve(List<PopRequest> requests) {
    List<PopOutcome> outcomes = new ArrayList<>();
    for (PopRequest request : requests) {
      outcomes.add(
          isBad(request)
              ? new PopOutcome.Rejected(ModelRules.PROBLEM)
              : new Serving(request, outcomes.size()).serve());
    }
    return outcomes;
  }

  static boolean isBad(PopRequest request) {
    return ModelRules.isBadName(request.group())
        || request.batch() < 1
        || request.maxPartitions() < 1
        || (request.target() instanceof PopTarget.Named named
            && (ModelRules.isBadName(named.queue()) || ModelRules.isBadName(named.partition())));
  }

  /** One request. */
  private final class Serving {
    private final PopRequest request;
    private final int index;
    private final List<PartitionBatch> batches = new ArrayList<>();
    private final List<SkippedPartition> passed = new ArrayList<>();
    private boolean alone;

    Serving(PopRequest request, int index) {
      this.request = request;
      this.index = index;
    }

    PopOutcome serve() {
      if (request.target() instanceof PopTarget.Named named) {
        ModelPartition partition = state.find(named.queue(), named.partition());
        look(Optional.ofNullable(partition).map(p -> p.id), partition);
      } else if (request.target() instanceof PopTarget.Candidates candidates) {
        for (int i = 0; i < candidates.partitionIds().size(); i++) {
          UUID id = candidates.partitionIds().get(i);
          look(Optional.of(id), state.find(id));
        }
      }
      countLoneDelivery();
      return new PopOutcome.Served(batches, passed);
    }

    private int left() {
      return request.batch() - batches.stream().mapToInt(batch -> batch.messages().size()).sum();
    }

    private void look(Optional<UUID> id, @Nullable ModelPartition partition) {
      if (left() == 0 || batches.size() == request.maxPartitions() || alone) {
        return;
      }
      if (partition == null) {
        passed.add(new SkippedPartition(id, Reason.MISSING, Optional.empty()));
        return;
      }
      ModelCursor cursor = partition.cursors.get(request.group());
      if (cursor == null) {
        throw new IllegalStateException("no cursor after the first contact");
      }
      Optional<SkippedPartition> reason = reasonToPass(partition, cursor);
      boolean expired = reason.isEmpty() && expire(partition, cursor);
      if (reason.isEmpty() && !expired) {
        reason = reasonToWait(partition, cursor);
      }
      if (reason.isEmpty()) {
        taken.add(new Taken(partition.id, request.group()));
        cursor.cap = capFor(cursor);
        cursor.lease = Optional.empty();
        boolean others = expired && !batches.isEmpty() && !partition.open(cursor).isEmpty();
        if (giveUpKiller(partition, cursor) || expired) {
          reason = reasonOfMessages(partition, cursor);
        }
        if (others && cursor.cap.equals(Optional.of(1))) {
          reason = pass(partition, Reason.BUSY, Optional.empty());
        }
      }
      reason.ifPresentOrElse(passed::add, () -> take(partition, cursor));
    }

    private Optional<SkippedPartition> reasonToPass(ModelPartition partition, ModelCursor cursor) {
      if (taken.contains(new Taken(partition.id, request.group()))) {
        return pass(partition, Reason.LEASED, Optional.empty());
      }
      if (state.queueOf(partition).isPaused(request.group())) {
        return pass(partition, Reason.STOPPED, Optional.empty());
      }
      if (cursor.isLeased(state.now)) {
        return pass(partition, Reason.LEASED, cursor.lease.map(ModelLease::expiresAt));
      }
      if (cursor.notBefore.isPresent() && state.now.isBefore(cursor.notBefore.get())) {
        return pass(partition, Reason.PAUSED, cursor.notBefore);
      }
      return reasonOfPartition(partition, cursor);
    }

    private Optional<SkippedPartition> reasonToWait(ModelPartition partition, ModelCursor cursor) {
      Optional<SkippedPartition> ofMessages = reasonOfMessages(partition, cursor);
      if (ofMessages.isPresent()) {
        return ofMessages;
      }
      return capFor(cursor).equals(Optional.of(1)) && !batches.isEmpty()
          ? pass(partition, Reason.ALONE, Optional.empty())
          : Optional.empty();
    }

    private Optional<SkippedPartition> reasonOfPartition(
        ModelPartition partition, ModelCursor cursor) {
      ModelQueue queue = state.queueOf(partition);
      if (partition.open(cursor).isEmpty()) {
        return pass(partition, Reason.EMPTY, Optional.empty());
      }
      Instant newest = partition.at(partition.next() - 1).createdAt();
      if (isYoung(newest, queue.windowBuffer())) {
        return pass(partition, Reason.WINDOW, Optional.of(newest.plus(queue.windowBuffer())));
      }
      return Optional.empty();
    }

    private Optional<SkippedPartition> reasonOfMessages(
        ModelPartition partition, ModelCursor cursor) {
      Optional<SkippedPartition> ofPartition = reasonOfPartition(partition, cursor);
      if (ofPartition.isPresent()) {
        return ofPartition;
      }
      ModelQueue queue = state.queueOf(partition);
      Instant oldest = partition.open(cursor).get(0).createdAt();
      if (isYoung(oldest, queue.delayedProcessing())) {
        Instant due = oldest.plus(queue.delayedProcessing());
        return pass(partition, Reason.DELAYED, Optional.of(due));
      }
      return Optional.empty();
    }

    /** Whether the cursor has passed messages that are too old. */
    private boolean expire(ModelPartition partition, ModelCursor cursor) {
      ModelQueue queue = state.queueOf(partition);
      if (queue.ttl().isEmpty()) {
        return false;
      }
      long end = partition.after(state.now.minus(queue.ttl().get()));
      List<Long> old =
          partition.open(cursor).stream()
              .map(ModelMessage::offset)
              .filter(offset -> offset < end)
              .toList();
      for (long offset : old) {
        if (queue.buriesExpired()) {
          int failures = cursor.failures.getOrDefault(offset, 0);
          state.deadLetter(partition, request.group(), offset, "Expired (ttl)", failures);
        }
        cursor.done(offset);
      }
      cursor.settle(partition.first);
      return !old.isEmpty();
    }

    private static Optional<SkippedPartition> pass(
        ModelPartition partition, Reason reason, Optional<Instant> dueAt) {
      return Optional.of(new SkippedPartition(Optional.of(partition.id), reason, dueAt));
    }

    /** The cap, once a lease that has lapsed is taken into account. */
    private static Optional<Integer> capFor(ModelCursor cursor) {
      int left = cursor.open();
      return left > 0 ? Optional.of(Math.max(1, left / 2)) : cursor.cap;
    }

    private boolean isYoung(Instant createdAt, Duration age) {
      return !age.isZero() && createdAt.plus(age).isAfter(state.now);
    }

    private boolean giveUpKiller(ModelPartition partition, ModelCursor cursor) {
      int times = cursor.loneDeliveries;
      if (cursor.loneOffset != cursor.committed || times <= state.queueOf(partition).retryLimit()) {
        return false;
      }
      String error = "Delivered alone " + times + " times without an answer";
      state.deadLetter(partition, request.group(), cursor.loneOffset, error, times - 1);
      cursor.done(cursor.loneOffset);
      cursor.settle(partition.first);
      return true;
    }

    private void take(ModelPartition partition, ModelCursor cursor) {
      ModelQueue queue = state.queueOf(partition);
      alone = cursor.cap.equals(Optional.of(1));
      List<ModelMessage> messages =
          partition.open(cursor).stream()
              .filter(message -> !isYoung(message.createdAt(), queue.delayedProcessing()))
              .limit(Math.min(left(), cursor.cap.orElse(Integer.MAX_VALUE)))
              .toList();
      List<Long> offsets = messages.stream().map(ModelMessage::offset).toList();
      Map<Long, Integer> attempts = new HashMap<>();
      offsets.forEach(
          offset -> attempts.put(offset, cursor.deliveries.merge(offset, 1, Integer::sum)));
      Optional<Lease> lease = Optional.empty();
      if (request.autoAck()) {
        offsets.forEach(cursor::done);
        cursor.settle(partition.first);
      } else {
        UUID leaseId = leaseId(number, index);
        Instant expiresAt = state.now.plus(queue.leaseTime());
        lease = Optional.of(new Lease(leaseId, expiresAt));
        cursor.lease = Optional.of(new ModelLease(leaseId, expiresAt, offsets));
      }
      long last = offsets.get(offsets.size() - 1);
      batches.add(
          new PartitionBatch(
              partition.queue,
              partition.name,
              partition.id,
              lease,
              partition.next() - last - 1,
              messages.stream()
                  .map(message -> message.stored(attempts.getOrDefault(message.offset(), 1)))
                  .toList()));
    }

    private void countLoneDelivery() {
      if (request.autoAck() || left() != request.batch() - 1) {
        return;
      }
      PartitionBatch batch = batches.get(0);
      ModelPartition partition = state.find(batch.partitionId());
      if (partition != null) {
        state.cursor(partition, request.group()).deliveredAlone(batch.messages().get(0).offset());
      }
    }
  }
}
