package dev.queenmq.server.sidecar;

import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.broker.Operator;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.sidecar.polling.BrokerEvents;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Carries out operators' requests through the sidecars, and wakes waiting polls. */
final class SidecarOperator implements Operator {
  private final StoreCalls stores;
  private final BrokerEvents events;

  SidecarOperator(StoreCalls stores, BrokerEvents events) {
    this.stores = stores;
    this.events = events;
  }

  @Override
  public Future<MessageOutcome> deleteMessage(MessageKey message) {
    return anywhere(store -> store.deleteMessage(message)).onSuccess(this::announce);
  }

  @Override
  public Future<MessageOutcome> deadLetter(DeadLettering deadLettering) {
    return anywhere(store -> store.deadLetter(deadLettering)).onSuccess(this::announce);
  }

  private void announce(MessageOutcome outcome) {
    if (outcome instanceof MessageOutcome.Done done) {
      events.ended(done.queue(), done.ended());
    }
  }

  @Override
  public Future<RedriveOutcome> redrive(Redrive redrive) {
    return anywhere(store -> store.redrive(redrive))
        .onSuccess(
            outcome -> {
              if (outcome instanceof RedriveOutcome.Redriven done) {
                events.appended(
                    done.queue(),
                    done.partitions().stream()
                        .map(
                            each ->
                                new NamedPartition(
                                    each.partitionId(), done.queue(), each.partition()))
                        .toList());
              }
            });
  }

  @Override
  public Future<RemovalOutcome> purge(DeadLetterSelection selection) {
    return anywhere(store -> store.purge(selection));
  }

  @Override
  public Future<RemovalOutcome> clear(String queue, Optional<String> partition) {
    return stores
        .of(queue, store -> store.clear(queue, partition))
        .onSuccess(
            outcome -> {
              if (outcome instanceof RemovalOutcome.Removed removed) {
                events.ended(queue, removed.ended());
              }
            });
  }

  @Override
  public Future<PartitionDeletion> deletePartition(String queue, String partition) {
    // By the owner, whose store remembers what it appended there.
    return stores
        .of(queue, store -> store.deletePartition(queue, partition))
        .onSuccess(
            outcome -> {
              if (outcome instanceof PartitionDeletion.Deleted deleted) {
                events.partitionDeleted(queue, partition, deleted.partitionId());
              }
            });
  }

  @Override
  public Future<Integer> endLease(UUID leaseId) {
    return anywhere(store -> store.endLease(leaseId))
        .map(
            ended -> {
              ended.forEach(events::ended);
              return ended.values().stream().mapToInt(List::size).sum();
            });
  }

  @Override
  public Future<PauseOutcome> pause(PopPause pause) {
    return stores
        .of(pause.queue(), store -> store.pause(pause))
        .onSuccess(
            outcome -> {
              // Also if it was so before: the first request may have got no answer.
              if (outcome instanceof PauseOutcome.Done && !pause.paused()) {
                events.resumed(pause.queue());
              }
            });
  }

  private <T> Future<T> anywhere(Function<MessageStore, Future<T>> call) {
    return stores.near(call);
  }
}
