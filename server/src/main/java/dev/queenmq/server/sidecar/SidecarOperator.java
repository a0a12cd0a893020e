package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Directory.NamedPartition;
import dev.queenmq.server.store.Burial;
import dev.queenmq.server.store.DeadLetterSelection;
import dev.queenmq.server.store.MessageKey;
import dev.queenmq.server.store.MessageOutcome;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.PartitionDeletion;
import dev.queenmq.server.store.PauseOutcome;
import dev.queenmq.server.store.PopPause;
import dev.queenmq.server.store.Redrive;
import dev.queenmq.server.store.RedriveOutcome;
import dev.queenmq.server.store.RemovalOutcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Does what operators ask for through the sidecars, and tells those who wait. */
final class SidecarOperator implements Operator {
  private final StoreCalls stores;
  private final News news;

  SidecarOperator(StoreCalls stores, News news) {
    this.stores = stores;
    this.news = news;
  }

  @Override
  public Future<MessageOutcome> deleteMessage(MessageKey message) {
    return anywhere(store -> store.deleteMessage(message)).onSuccess(this::tell);
  }

  @Override
  public Future<MessageOutcome> bury(Burial burial) {
    return anywhere(store -> store.bury(burial)).onSuccess(this::tell);
  }

  private void tell(MessageOutcome outcome) {
    if (outcome instanceof MessageOutcome.Done done) {
      news.ended(done.queue(), done.ended());
    }
  }

  @Override
  public Future<RedriveOutcome> redrive(Redrive redrive) {
    return anywhere(store -> store.redrive(redrive))
        .onSuccess(
            outcome -> {
              if (outcome instanceof RedriveOutcome.Redriven done) {
                news.appended(
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
                news.ended(queue, removed.ended());
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
                news.partitionDeleted(queue, partition, deleted.partitionId());
              }
            });
  }

  @Override
  public Future<Integer> endLease(UUID leaseId) {
    return anywhere(store -> store.endLease(leaseId))
        .map(
            ended -> {
              ended.forEach(news::ended);
              return ended.values().stream().mapToInt(List::size).sum();
            });
  }

  @Override
  public Future<PauseOutcome> pause(PopPause pause) {
    return stores
        .of(pause.queue(), store -> store.pause(pause))
        .onSuccess(
            outcome -> {
              // Also if it was so before: whoever asked may not have had the answer.
              if (outcome instanceof PauseOutcome.Done && !pause.paused()) {
                news.resumed(pause.queue());
              }
            });
  }

  private <T> Future<T> anywhere(Function<MessageStore, Future<T>> call) {
    return stores.near(call);
  }
}
