package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.MessageRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What acks do, by the rules of docs/internals/store.md. */
final class ModelAck {

  /** The acks of one call that are applied together. */
  private record CursorKey(UUID partitionId, String group) {}

  private final ModelState state;
  private final Set<UUID> requiredLeases;

  /**
   * The acks of one call.
   *
   * @param requiredLeases if any: an ack without a lease needs one of these to be the cursor's
   */
  ModelAck(ModelState state, Set<UUID> requiredLeases) {
    this.state = state;
    this.requiredLeases = requiredLeases;
  }

  List<AckOutcome> ack(List<Ack> acks) {
    List<AckOutcome> outcomes = new ArrayList<>();
    Map<CursorKey, List<Integer>> byCursor = new LinkedHashMap<>();
    for (Ack ack : acks) {
      if (!isBad(ack)) {
        byCursor
            .computeIfAbsent(new CursorKey(ack.partitionId(), ack.group()), k -> new ArrayList<>())
            .add(outcomes.size());
      }
      outcomes.add(new AckOutcome.Rejected(ModelRules.PROBLEM));
    }
    byCursor.forEach(
        (key, indexes) -> {
          List<AckOutcome> some = together(key, indexes.stream().map(acks::get).toList());
          for (int i = 0; i < indexes.size(); i++) {
            outcomes.set(indexes.get(i), some.get(i));
          }
        });
    return outcomes;
  }

  /** Which of these acks name a lease that is live, and another group's. */
  List<Boolean> mismatches(List<Ack> acks) {
    return acks.stream().map(this::isOfAnotherGroup).toList();
  }

  /** The outcomes, where a live lease of another group is no lost one. */
  static List<AckOutcome> with(List<Boolean> mismatches, List<AckOutcome> outcomes) {
    List<AckOutcome> told = new ArrayList<>(outcomes);
    for (int i = 0; i < told.size(); i++) {
      if (mismatches.get(i)
          && told.get(i) instanceof AckOutcome.Failed failed
          && failed.reason() == AckOutcome.Reason.LEASE_LOST) {
        told.set(
            i,
            new AckOutcome.Failed(
                AckOutcome.Reason.OTHER_GROUP, failed.queue(), failed.partition()));
      }
    }
    return told;
  }

  private boolean isOfAnotherGroup(Ack ack) {
    ModelPartition partition = state.find(ack.partitionId());
    return partition != null
        && ack.leaseId().isPresent()
        && partition.cursors.entrySet().stream()
            .filter(each -> !each.getKey().equals(ack.group()))
            .anyMatch(each -> each.getValue().isLeasedUnder(ack.leaseId().get(), state.now));
  }

  static boolean isBad(Ack ack) {
    return ModelRules.isBadName(ack.group())
        || (ack.message() instanceof MessageRef.ByTransactionId byId
            && ModelRules.isBadName(byId.transactionId()));
  }

  private List<AckOutcome> together(CursorKey key, List<Ack> acks) {
    ModelPartition partition = state.find(key.partitionId);
    if (partition == null) {
      return acks.stream()
          .map(
              ack ->
                  (AckOutcome)
                      new AckOutcome.Failed(
                          AckOutcome.Reason.MESSAGE_NOT_FOUND, Optional.empty(), Optional.empty()))
          .toList();
    }
    if (requiredLeases.isEmpty()
        && acks.stream().anyMatch(ack -> ack.leaseId().isEmpty())
        && (partition.cursors.containsKey(key.group)
            || state.hasSubscribed(partition.queue, key.group))) {
      ModelCursor made = state.cursor(partition, key.group);
      made.settle(partition.first);
    }
    ModelCursor cursor = partition.cursors.get(key.group);
    if (cursor == null) {
      return acks.stream()
          .map(
              ack ->
                  (AckOutcome)
                      new AckOutcome.Failed(
                          ack.leaseId().isEmpty() && requiredLeases.isEmpty()
                              ? AckOutcome.Reason.UNKNOWN_GROUP
                              : AckOutcome.Reason.LEASE_LOST,
                          Optional.empty(),
                          Optional.empty()))
          .toList();
    }
    return new Judging(partition, key.group, cursor).judge(acks);
  }

  /** The acks on one cursor. */
  private final class Judging {
    private final ModelPartition partition;
    private final ModelQueue queue;
    private final String group;
    private final ModelCursor cursor;
    private final Optional<ModelLease> lease;
    private final Map<MessageRef, Integer> named = new HashMap<>();
    private final Set<Long> judged = new HashSet<>();
    private final Set<Long> toBeDone = new HashSet<>();
    private boolean leaseEnds;

    Judging(ModelPartition partition, String group, ModelCursor cursor) {
      this.partition = partition;
      this.queue = state.queueOf(partition);
      this.group = group;
      this.cursor = cursor;
      this.lease = cursor.lease;
    }

    List<AckOutcome> judge(List<Ack> acks) {
      List<Object> results = new ArrayList<>();
      for (Ack ack : acks) {
        results.add(judge(ack));
      }
      toBeDone.forEach(cursor::done);
      cursor.settle(partition.first);
      if (leaseEnds) {
        cursor.lease = Optional.empty();
      } else if (cursor.lease.isPresent() && cursor.open() == 0) {
        cursor.answeredCompletely();
      }
      boolean released = cursor.lease.isEmpty();
      return results.stream().map(result -> outcome(result, released)).toList();
    }

    private AckOutcome outcome(Object result, boolean released) {
      return result instanceof AckOutcome.Reason reason
          ? new AckOutcome.Failed(reason, Optional.of(partition.queue), Optional.of(partition.name))
          : new AckOutcome.Applied(partition.queue, partition.name, released, result.equals(true));
    }

    /** Why it fails, or whether the message is now a dead letter. */
    private Object judge(Ack ack) {
      if (ack.leaseId().isPresent() && !cursor.isLeasedUnder(ack.leaseId().get(), state.now)) {
        return AckOutcome.Reason.LEASE_LOST;
      }
      if (ack.leaseId().isEmpty() && !requiredLeases.isEmpty() && !isRequired()) {
        return AckOutcome.Reason.LEASE_LOST;
      }
      Long offset = resolve(ack);
      if (offset == null) {
        return AckOutcome.Reason.MESSAGE_NOT_FOUND;
      }
      return !cursor.isDone(offset) && judged.add(offset) && apply(ack, offset);
    }

    private boolean isRequired() {
      return cursor.isLeased(state.now) && requiredLeases.contains(cursor.lease.orElseThrow().id());
    }

    private @Nullable Long resolve(Ack ack) {
      List<ModelMessage> everywhere =
          partition.stored().stream().filter(message -> isNamed(message, ack.message())).toList();
      List<ModelMessage> inLease =
          everywhere.stream().filter(message -> covers(message.offset())).toList();
      if (!inLease.isEmpty() || ack.leaseId().isPresent() || !requiredLeases.isEmpty()) {
        List<ModelMessage> open =
            inLease.stream().filter(message -> !cursor.isDone(message.offset())).toList();
        return next(ack, open, inLease);
      }
      return next(ack, everywhere, everywhere);
    }

    /** The first ack of the call means the first of these messages, the second the second. */
    private @Nullable Long next(Ack ack, List<ModelMessage> meant, List<ModelMessage> known) {
      if (known.isEmpty()) {
        return null;
      }
      int time = named.merge(ack.message(), 1, Integer::sum);
      return time <= meant.size() ? meant.get(time - 1).offset() : known.get(0).offset();
    }

    private boolean covers(long offset) {
      return lease.isPresent() && lease.get().covers().contains(offset);
    }

    private static boolean isNamed(ModelMessage message, MessageRef ref) {
      if (ref instanceof MessageRef.ByOffset byOffset) {
        return message.offset() == byOffset.offset();
      }
      return ref instanceof MessageRef.ByTransactionId byId
          && message.message().transactionId().equals(byId.transactionId());
    }

    /** Whether the message is now a dead letter. */
    private boolean apply(Ack ack, long offset) {
      int failures = cursor.failures.getOrDefault(offset, 0);
      return switch (ack.status()) {
        case COMPLETED -> {
          toBeDone.add(offset);
          yield false;
        }
        case DLQ -> {
          state.deadLetter(partition, group, offset, ack.error().orElse(null), failures);
          toBeDone.add(offset);
          yield true;
        }
        case FAILED -> {
          cursor.failures.put(offset, failures + 1);
          if (failures + 1 > queue.retryLimit() && queue.givesUp()) {
            String error = ack.error().orElse("Retries exhausted");
            state.deadLetter(partition, group, offset, error, failures);
            toBeDone.add(offset);
            yield true;
          }
          comesAgain(offset);
          if (!queue.givesUp()) {
            uncountDelivery(offset);
          }
          queue.retryDelay().ifPresent(d -> cursor.notBefore = Optional.of(state.now.plus(d)));
          yield false;
        }
        case RETRY -> {
          comesAgain(offset);
          uncountDelivery(offset);
          yield false;
        }
      };
    }

    /** A consumer that acks was not killed by the message. */
    private void uncountDelivery(long offset) {
      if (cursor.loneOffset == offset && cursor.loneDeliveries > 0) {
        cursor.loneDeliveries--;
      }
    }

    private void comesAgain(long offset) {
      leaseEnds |= covers(offset);
    }
  }
}
