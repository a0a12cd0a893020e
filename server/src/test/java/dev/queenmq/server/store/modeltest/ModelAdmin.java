package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueSettings;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.polling.ReadyPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What renew, seek, configure, delete and reconcile do, by the rules of docs/internals/store.md.
 */
final class ModelAdmin {
  private final ModelState state;

  ModelAdmin(ModelState state) {
    this.state = state;
  }

  List<RenewOutcome> renew(List<Renewal> renewals) {
    return renewals.stream()
        .map(
            renewal ->
                renew(
                    renewal.leaseId(),
                    renewals.stream()
                        .filter(other -> other.leaseId().equals(renewal.leaseId()))
                        .map(Renewal::extension)
                        .max(Duration::compareTo)
                        .orElseThrow()))
        .toList();
  }

  private RenewOutcome renew(UUID leaseId, Duration extension) {
    List<ModelCursor> held =
        state.partitions().stream()
            .flatMap(partition -> partition.cursors.values().stream())
            .filter(cursor -> cursor.lease.isPresent())
            .filter(cursor -> cursor.lease.orElseThrow().id().equals(leaseId))
            .toList();
    if (held.isEmpty()) {
      return new RenewOutcome.Missing();
    }
    List<ModelCursor> live = held.stream().filter(cursor -> cursor.isLeased(state.now)).toList();
    if (live.isEmpty()) {
      return new RenewOutcome.Expired();
    }
    Instant until = state.now.plus(extension);
    for (ModelCursor cursor : live) {
      cursor.lease = cursor.lease.map(lease -> lease.until(later(lease.expiresAt(), until)));
    }
    return new RenewOutcome.Renewed(
        live.stream()
            .map(cursor -> cursor.lease.orElseThrow().expiresAt())
            .min(Instant::compareTo)
            .orElseThrow());
  }

  /** Answers where it ended. */
  List<String> endLease(UUID leaseId) {
    List<String> ended = new ArrayList<>();
    for (ModelPartition partition : state.partitions()) {
      partition.cursors.forEach(
          (group, cursor) -> {
            if (cursor.isLeasedUnder(leaseId, state.now)) {
              cursor.lease = cursor.lease.map(lease -> lease.until(state.now));
              ended.add(partition.queue + "/" + partition.name + "/" + group);
            }
          });
    }
    return ended.stream().sorted().toList();
  }

  PauseOutcome pause(PopPause pause) {
    ModelQueue queue = state.queues.get(pause.queue());
    if (queue == null) {
      return new PauseOutcome.NotFound();
    }
    boolean changed = queue.pauses.containsKey(pause.group()) != pause.paused();
    if (pause.group().isPresent()
        && !isKnown(queue, pause.queue(), pause.group().get())
        && (pause.paused() || !changed)) {
      return new PauseOutcome.UnknownGroup();
    }
    if (changed && pause.paused()) {
      queue.pauses.put(pause.group(), state.now);
    } else if (changed) {
      queue.pauses.remove(pause.group());
    }
    return new PauseOutcome.Done(changed, Optional.ofNullable(queue.pauses.get(pause.group())));
  }

  private boolean isKnown(ModelQueue queue, String name, String group) {
    return state.hasSubscribed(name, group)
        || queue.partitions.values().stream()
            .anyMatch(partition -> partition.cursors.containsKey(group));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  SeekOutcome seek(Seek seek) {
    ModelQueue queue = state.queues.get(seek.queue());
    if (queue == null) {
      return new SeekOutcome.NotFound();
    }
    List<ModelPartition> partitions =
        queue.partitions.values().stream()
            .filter(p -> seek.partition().isEmpty() || seek.partition().get().equals(p.name))
            .toList();
    if (partitions.isEmpty() && seek.partition().isPresent()) {
      return new SeekOutcome.NotFound();
    }
    if (!isKnown(queue, seek.queue(), seek.group())) {
      return new SeekOutcome.UnknownGroup();
    }
    long offset = 0;
    Optional<Instant> behind = Optional.empty();
    for (ModelPartition partition : partitions) {
      offset =
          seek.to() instanceof Seek.Position.After after
              ? partition.after(after.moment())
              : partition.next();
      partition.cursors.put(seek.group(), partition.newCursor(seek.group(), offset));
      if (seek.partition().isPresent() && offset > partition.first) {
        behind = Optional.of(partition.at(offset - 1).createdAt());
      }
    }
    return new SeekOutcome.Moved(
        partitions.size(),
        seek.partition().isPresent() ? OptionalLong.of(offset) : OptionalLong.empty(),
        behind);
  }

  ConfigureOutcome configure(QueueConfiguration configuration) {
    if (ModelRules.isBadName(configuration.queue())) {
      return new ConfigureOutcome.Rejected(ModelRules.PROBLEM);
    }
    ModelPartition partition = state.make(configuration.queue(), "Default");
    ModelQueue queue = state.queueOf(partition);
    queue.configure(configuration.options(), configuration.merge());
    return new ConfigureOutcome.Configured(
        new QueueSettings(
            new UUID(0, 0), queue.name, "", "", queue.options, Instant.EPOCH, partition.id));
  }

  DeleteOutcome delete(String queue) {
    return ModelRules.isBadName(queue)
        ? new DeleteOutcome.Rejected(ModelRules.PROBLEM)
        : new DeleteOutcome.Deleted(state.delete(queue));
  }

  /**
   * Removes the oldest segments of a partition.
   *
   * @param lengths how many messages each stored segment holds, the oldest first
   */
  long drop(Step.Drop drop, List<Integer> lengths) {
    ModelPartition partition = state.find(drop.partitionId());
    if (partition == null) {
      return 0;
    }
    long first = partition.first;
    for (int length : lengths.subList(0, Math.min(drop.segments(), lengths.size()))) {
      long end = partition.first + length;
      if (!partition.at(end - 1).createdAt().isBefore(drop.before()) || end > drop.below()) {
        break;
      }
      partition.removeBelow(end);
    }
    return partition.first - first;
  }

  /** Which partitions of a queue have something for a group, by name. */
  List<ReadyPartition> ready(String queue, String group) {
    List<ReadyPartition> ready = new ArrayList<>();
    ModelQueue found = state.queues.get(queue);
    if (found == null) {
      return ready;
    }
    for (ModelPartition partition : found.partitions.values()) {
      @Nullable ModelCursor existing = partition.cursors.get(group);
      ModelCursor cursor =
          existing == null ? partition.newCursor(group, state.start(partition, group)) : existing;
      List<ModelMessage> open = partition.open(cursor);
      if (!open.isEmpty()) {
        ready.add(
            new ReadyPartition(
                partition.id,
                partition.next() - cursor.committed,
                Optional.of(open.get(0).createdAt()),
                freeAt(cursor)));
      }
    }
    return ready;
  }

  private Optional<Instant> freeAt(ModelCursor cursor) {
    Optional<Instant> leased =
        cursor.lease.map(ModelLease::expiresAt).filter(expiry -> expiry.isAfter(state.now));
    Optional<Instant> paused = cursor.notBefore.filter(moment -> moment.isAfter(state.now));
    return leased.isPresent() && paused.isPresent()
        ? Optional.of(later(leased.get(), paused.get()))
        : leased.or(() -> paused);
  }
}
