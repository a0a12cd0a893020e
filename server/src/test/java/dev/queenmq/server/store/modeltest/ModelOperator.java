package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What operators do to messages, partitions and groups, by the rules of docs/internals/store.md.
 */
final class ModelOperator {
  private final ModelState state;

  ModelOperator(ModelState state) {
    this.state = state;
  }

  MessageOutcome deleteMessage(MessageKey key) {
    ModelPartition partition = state.find(key.partitionId());
    if (partition == null) {
      return new MessageOutcome.NotFound();
    }
    List<Long> offsets = named(partition, key.transactionId());
    boolean dead =
        state
            .deadLetters
            .values()
            .removeIf(
                letter ->
                    letter.isIn(partition)
                        && letter.message().transactionId().equals(key.transactionId()));
    if (offsets.isEmpty() && !dead) {
      return new MessageOutcome.NotFound();
    }
    Map<Long, Optional<String>> hidden = new HashMap<>();
    for (long offset : offsets) {
      partition.messages.set((int) offset, partition.at(offset).wiped());
      hidden.put(offset, Optional.empty());
    }
    return new MessageOutcome.Done(partition.queue, partition.hide(hidden));
  }

  MessageOutcome deadLetter(DeadLettering deadLettering) {
    MessageKey key = deadLettering.message();
    ModelPartition partition = state.find(key.partitionId());
    List<Long> offsets = partition == null ? List.of() : named(partition, key.transactionId());
    if (partition == null || offsets.isEmpty()) {
      return new MessageOutcome.NotFound();
    }
    ModelCursor cursor = state.cursor(partition, deadLettering.group());
    cursor.settle(partition.first);
    Optional<Long> offset = offsets.stream().filter(each -> !cursor.isDone(each)).findFirst();
    if (offset.isEmpty()) {
      return new MessageOutcome.NotFound();
    }
    new ModelAck(state, Set.of())
        .ack(
            List.of(
                new Ack(
                    partition.id,
                    deadLettering.group(),
                    new MessageRef.ByOffset(offset.get()),
                    Optional.empty(),
                    AckStatus.DLQ,
                    deadLettering.error())));
    return new MessageOutcome.Done(
        partition.queue,
        cursor.lease.isPresent()
            ? List.of()
            : List.of(new EndedLease(partition.id, partition.name, deadLettering.group())));
  }

  private static List<Long> named(ModelPartition partition, String transactionId) {
    return partition.stored().stream()
        .filter(message -> message.message().transactionId().equals(transactionId))
        .map(ModelMessage::offset)
        .toList();
  }

  RemovalOutcome clear(String queue, Optional<String> partition) {
    ModelQueue found = state.queues.get(queue);
    if (found == null
        || (partition.isPresent() && !found.partitions.containsKey(partition.get()))) {
      return new RemovalOutcome.NotFound();
    }
    long count = 0;
    List<EndedLease> ended = new ArrayList<>();
    for (ModelPartition each : found.partitions.values()) {
      if (partition.isPresent() && !partition.get().equals(each.name)) {
        continue;
      }
      if (each.first == each.next()) {
        continue;
      }
      count += each.stored().stream().filter(message -> !message.isWiped()).count();
      each.cursors.forEach(
          (group, cursor) -> {
            if (cursor.isLeased(state.now)) {
              ended.add(new EndedLease(each.id, each.name, group));
            }
          });
      each.cursors.replaceAll((group, cursor) -> new ModelCursor(each.next()));
      each.hidden.clear();
      each.first = each.next();
    }
    return new RemovalOutcome.Removed(count, ended);
  }

  PartitionDeletion deletePartition(String queue, String name) {
    ModelPartition partition = state.find(queue, name);
    if (partition == null) {
      return new PartitionDeletion.NotFound();
    }
    state.delete(partition);
    return new PartitionDeletion.Deleted(partition.id);
  }

  GroupOutcome deleteGroup(GroupDeletion deletion) {
    List<String> queues = new ArrayList<>();
    if (deletion.subscription()) {
      state
          .starts
          .keySet()
          .removeIf(
              key -> {
                boolean goes =
                    key.group().equals(deletion.group())
                        && (deletion.queue().isEmpty()
                            || deletion.queue().get().equals(key.queue()));
                if (goes) {
                  queues.add(key.queue());
                }
                return goes;
              });
    }
    int count = 0;
    for (ModelPartition partition : state.partitions()) {
      if ((deletion.queue().isEmpty() || deletion.queue().get().equals(partition.queue))
          && partition.cursors.remove(deletion.group()) != null) {
        count++;
        queues.add(partition.queue);
      }
    }
    return new GroupOutcome.Changed(count, Set.copyOf(queues));
  }

  GroupOutcome moveSubscription(SubscriptionMove move) {
    List<String> queues = new ArrayList<>();
    state.starts.replaceAll(
        (key, start) -> {
          if (!key.group().equals(move.group())) {
            return start;
          }
          queues.add(key.queue());
          return Optional.of(move.moment());
        });
    return new GroupOutcome.Changed(queues.size(), Set.copyOf(queues));
  }

  /** Gives dead letters back. */
  RedriveOutcome redrive(Redrive redrive) {
    if (redrive instanceof Redrive.OneMessage one) {
      ModelPartition partition = state.find(one.message().partitionId());
      return partition == null
          ? new RedriveOutcome.NotFound()
          : redrive(
              partition.queue,
              letters(partition.queue).stream()
                  .filter(letter -> letter.isIn(partition))
                  .filter(
                      letter ->
                          letter.key().group().equals(one.group().orElse(letter.key().group())))
                  .filter(
                      letter ->
                          letter.message().transactionId().equals(one.message().transactionId()))
                  .toList(),
              Integer.MAX_VALUE);
    }
    Redrive.Selected some = (Redrive.Selected) redrive;
    String queue = some.selection().queue();
    if (!state.queues.containsKey(queue)) {
      return new RedriveOutcome.NotFound();
    }
    Optional<ModelState.RequestKey> request =
        some.requestId().map(id -> new ModelState.RequestKey(queue, id));
    if (request.isPresent() && state.redrives.containsKey(request.get())) {
      return state.redrives.get(request.get());
    }
    RedriveOutcome.Redriven done = redrive(queue, selected(some.selection()), some.limit());
    request.ifPresent(
        key ->
            state.redrives.put(
                key,
                new RedriveOutcome.Redriven(
                    queue, done.count(), done.remaining(), List.of(), List.of())));
    return done;
  }

  RemovalOutcome purge(DeadLetterSelection selection) {
    if (!state.queues.containsKey(selection.queue())) {
      return new RemovalOutcome.NotFound();
    }
    List<ModelDeadLetter> letters = selected(selection);
    letters.forEach(letter -> state.deadLetters.remove(letter.key()));
    return new RemovalOutcome.Removed(letters.size(), List.of());
  }

  private List<ModelDeadLetter> letters(String queue) {
    return state.deadLetters.values().stream()
        .filter(letter -> letter.key().queue().equals(queue))
        .toList();
  }

  private List<ModelDeadLetter> selected(DeadLetterSelection selection) {
    return letters(selection.queue()).stream()
        .filter(l -> l.key().partition().equals(selection.partition().orElse(l.key().partition())))
        .filter(l -> l.key().group().equals(selection.group().orElse(l.key().group())))
        .filter(l -> selection.from().isEmpty() || !l.failedAt().isBefore(selection.from().get()))
        .filter(l -> selection.until().isEmpty() || l.failedAt().isBefore(selection.until().get()))
        .filter(
            l ->
                selection.transactionIds().isEmpty()
                    || selection.transactionIds().contains(l.message().transactionId()))
        .toList();
  }

  private RedriveOutcome.Redriven redrive(String queue, List<ModelDeadLetter> selected, int limit) {
    List<ModelDeadLetter> letters =
        selected.stream()
            .sorted(
                Comparator.comparing(ModelDeadLetter::failedAt)
                    .thenComparing(letter -> letter.key().partition())
                    .thenComparing(letter -> letter.key().group())
                    .thenComparing(letter -> letter.key().offset()))
            .limit(limit)
            .sorted(
                Comparator.comparing((ModelDeadLetter letter) -> letter.key().partition())
                    .thenComparing(letter -> letter.key().offset())
                    .thenComparing(letter -> letter.key().group()))
            .toList();
    List<UUID> ids = new ArrayList<>();
    List<RedriveOutcome.Appended> partitions = new ArrayList<>();
    for (ModelDeadLetter letter : letters) {
      state.deadLetters.remove(letter.key());
      ModelPartition partition = state.make(queue, letter.key().partition());
      // A plain one gets another in the store: see Translation.alias.
      UUID id = letter.message().id();
      ids.add(id);
      RedriveOutcome.Appended appended = new RedriveOutcome.Appended(partition.id, partition.name);
      if (!partitions.contains(appended)) {
        partitions.add(appended);
      }
      long offset = partition.append(letter.messageAs(id), state.now);
      partition.hide(Map.of(offset, Optional.of(letter.key().group())));
    }
    return new RedriveOutcome.Redriven(
        queue, letters.size(), selected.size() - letters.size(), partitions, ids);
  }
}
