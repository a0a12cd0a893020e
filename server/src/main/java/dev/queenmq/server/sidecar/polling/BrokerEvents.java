package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Notifies waiting polls, here and at the other brokers, of what has happened. Safe for any thread.
 */
public final class BrokerEvents {
  private final WaitingRooms rooms;
  private final Peers peers;

  public BrokerEvents(WaitingRooms rooms, Peers peers) {
    this.rooms = rooms;
    this.peers = peers;
  }

  public void pushed(List<Message> messages, List<PushOutcome> outcomes) {
    Appends appends = new Appends();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
        appends.add(messages.get(i), queued.partitionId(), queued.leasedTo());
      }
    }
    appended(appends);
  }

  public void acknowledged(List<Ack> acks, List<AckOutcome> outcomes) {
    boolean done = acks.stream().allMatch(ack -> ack.status() == AckStatus.COMPLETED);
    Set<UUID> reported = new HashSet<>();
    for (int i = 0; i < acks.size(); i++) {
      if (i > 0 && outcomes.get(i) == outcomes.get(i - 1)) {
        continue; // of the same lease
      }
      if (outcomes.get(i) instanceof AckOutcome.Applied applied
          && applied.leaseReleased()
          && reported.add(acks.get(i).partitionId())) {
        released(applied.queue(), applied.partition(), judged(acks.get(i), applied), done);
      } else if (outcomes.get(i) instanceof AckOutcome.Failed failed
          && failed.reason() == AckOutcome.Reason.MESSAGE_NOT_FOUND
          && acks.get(i).leaseId().isPresent()
          && failed.queue().isPresent()
          && failed.partition().isPresent()
          && reported.add(acks.get(i).partitionId())) {
        // Retention may have removed all that was leased, and with it the lease.
        released(failed.queue().get(), failed.partition().get(), acks.get(i), false);
      }
    }
  }

  public void committed(Transaction transaction, List<OperationResult> results) {
    Appends appends = new Appends();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof OperationResult.Pushed pushed
          && transaction.operations().get(i) instanceof Operation.Push push) {
        appends.add(push.message(), pushed.queued().partitionId(), null);
      } else if (results.get(i) instanceof OperationResult.Acknowledged acknowledged
          && acknowledged.applied().leaseReleased()
          && transaction.operations().get(i) instanceof Operation.Acknowledge acknowledge) {
        AckOutcome.Applied applied = acknowledged.applied();
        Ack ack = judged(acknowledge.ack(), applied);
        released(applied.queue(), applied.partition(), ack, false);
      }
    }
    appended(appends);
  }

  public void cycled(Cycle cycle, CycleOutcome.Committed committed) {
    Appends appends = new Appends();
    for (int i = 0; i < cycle.messages().size(); i++) {
      CycleOutcome.Pushed pushed = committed.pushes().get(i);
      if (!pushed.duplicate()) {
        appends.add(cycle.messages().get(i), pushed.partitionId(), null);
      }
    }
    appended(appends);
    if (committed.source().filter(CycleOutcome.SourceResult::leaseReleased).isPresent()) {
      givenBack(committed.queue(), committed.partition(), cycle.partitionId(), cycle.group());
    }
  }

  /** Messages that a consumer did not get are free again. */
  public void givenBack(String queue, String partition, UUID partitionId, String group) {
    rooms.onOwner(
        queue,
        room -> room.released(queue, partition, partitionId, group, Optional.empty(), false));
    peers.freed(queue, partition, partitionId, group);
  }

  public void configured(String queue, ConfigureOutcome outcome) {
    if (outcome instanceof ConfigureOutcome.Configured configured) {
      rooms.onOwner(queue, room -> room.changed(queue));
      peers.configured(configured.settings());
    }
  }

  public void deleted(String queue) {
    rooms.onOwner(queue, room -> room.changed(queue));
    peers.deleted(queue);
  }

  /** An operator lets pops of a queue go on, of all groups or of one. */
  public void resumed(String queue) {
    rooms.onOwner(queue, room -> room.resumed(queue));
    peers.resumed(queue);
  }

  /** A group was moved on these queues. */
  public void moved(Set<String> queues, String group) {
    for (String queue : queues) {
      rooms.onOwner(queue, room -> room.moved(queue, group));
      peers.moved(queue, group);
    }
  }

  /** Leases have ended without an ack. */
  public void ended(String queue, List<EndedLease> leases) {
    leases.forEach(
        lease -> givenBack(queue, lease.partition(), lease.partitionId(), lease.group()));
  }

  /** Partitions of a queue got messages. */
  public void appended(String queue, List<NamedPartition> partitions) {
    appended(queue, partitions, Map.of());
  }

  private void appended(String queue, List<NamedPartition> partitions, Map<UUID, String> leasedTo) {
    if (!partitions.isEmpty()) {
      rooms.onOwner(queue, room -> room.appended(queue, partitions, leasedTo));
      peers.appended(queue, partitions);
    }
  }

  public void partitionDeleted(String queue, String partition, UUID partitionId) {
    rooms.onOwner(queue, room -> room.gone(queue, partition, partitionId));
    peers.partitionDeleted(queue, partition);
  }

  private void appended(Appends appends) {
    appends.byQueue.forEach(
        (queue, partitions) -> appended(queue, List.copyOf(partitions.values()), appends.leasedTo));
  }

  /** The ack, of the group whose lease it was. */
  private static Ack judged(Ack ack, AckOutcome.Applied applied) {
    return applied.leaseGroup().map(ack::of).orElse(ack);
  }

  private void released(String queue, String partition, Ack ack, boolean done) {
    rooms.onOwner(
        queue,
        room ->
            room.released(queue, partition, ack.partitionId(), ack.group(), ack.leaseId(), done));
    peers.freed(queue, partition, ack.partitionId(), ack.group());
  }

  /** Each partition once. */
  private static final class Appends {
    final Map<String, Map<UUID, NamedPartition>> byQueue = new LinkedHashMap<>();

    /** The group that got a lease on all that was appended to a partition. */
    final Map<UUID, String> leasedTo = new HashMap<>(0);

    private @Nullable UUID last;

    void add(Message message, UUID partitionId, @Nullable String group) {
      if (partitionId.equals(last)) {
        onlyIf(partitionId, group); // they come in runs
        return;
      }
      last = partitionId;
      @Nullable Map<UUID, NamedPartition> known = byQueue.get(message.queue());
      if (known == null) {
        known = new LinkedHashMap<>();
        byQueue.put(message.queue(), known);
      }
      if (known.containsKey(partitionId)) {
        onlyIf(partitionId, group);
        return;
      }
      known.put(partitionId, new NamedPartition(partitionId, message.queue(), message.partition()));
      if (group != null) {
        leasedTo.put(partitionId, group);
      }
    }

    /** A group that has a lease on a part only has to hear of the rest. */
    private void onlyIf(UUID partitionId, @Nullable String group) {
      if (!leasedTo.isEmpty() && !Objects.equals(leasedTo.get(partitionId), group)) {
        leasedTo.remove(partitionId);
      }
    }
  }
}
