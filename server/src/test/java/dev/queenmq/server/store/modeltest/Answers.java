package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.QueueSettings;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Puts the store's answers into the model's words, so that they can be compared as values. */
final class Answers {
  private static final UUID NO_ID = new UUID(0, 0);

  private final Translation names;

  Answers(Translation names) {
    this.names = names;
  }

  /** The actual answer in the model's words; ids that are new mean what the expected ones mean. */
  Object translate(Object expected, Object actual) {
    if (expected instanceof List<?> some && actual instanceof List<?> others) {
      for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
        introduce(some.get(i), others.get(i));
      }
      return others.stream().map(this::model).toList();
    }
    introduce(expected, actual);
    return model(actual);
  }

  private void introduce(Object expected, Object actual) {
    if (expected instanceof PushOutcome.Queued some && actual instanceof PushOutcome.Queued other) {
      names.introduce(some.partitionId(), other.partitionId());
    } else if (expected instanceof PopOutcome.Served some
        && actual instanceof PopOutcome.Served other) {
      introduce(some, other);
    } else if (expected instanceof ConfigureOutcome.Configured some
        && actual instanceof ConfigureOutcome.Configured other) {
      names.introduce(some.settings().defaultPartitionId(), other.settings().defaultPartitionId());
    } else if (expected instanceof TransactionOutcome.Committed some
        && actual instanceof TransactionOutcome.Committed other) {
      for (int i = 0; i < Math.min(some.results().size(), other.results().size()); i++) {
        if (some.results().get(i) instanceof OperationResult.Pushed one
            && other.results().get(i) instanceof OperationResult.Pushed two) {
          introduce(one.queued(), two.queued());
        }
      }
    } else if (expected instanceof RedriveOutcome.Redriven some
        && actual instanceof RedriveOutcome.Redriven other) {
      for (int i = 0; i < Math.min(some.messageIds().size(), other.messageIds().size()); i++) {
        names.alias(some.messageIds().get(i), other.messageIds().get(i));
      }
    }
  }

  private void introduce(PopOutcome.Served expected, PopOutcome.Served actual) {
    for (int i = 0; i < Math.min(expected.batches().size(), actual.batches().size()); i++) {
      PartitionBatch one = expected.batches().get(i);
      PartitionBatch two = actual.batches().get(i);
      names.introduce(one.partitionId(), two.partitionId());
      if (one.lease().isPresent() && two.lease().isPresent()) {
        names.introduce(one.lease().get().id(), two.lease().get().id());
      }
    }
    for (int i = 0; i < Math.min(expected.passed().size(), actual.passed().size()); i++) {
      SkippedPartition one = expected.passed().get(i);
      SkippedPartition two = actual.passed().get(i);
      if (one.partitionId().isPresent() && two.partitionId().isPresent()) {
        names.introduce(one.partitionId().get(), two.partitionId().get());
      }
    }
  }

  private Object model(Object actual) {
    if (actual instanceof PushOutcome outcome) {
      return model(outcome);
    }
    if (actual instanceof PopOutcome outcome) {
      return model(outcome);
    }
    if (actual instanceof AckOutcome outcome) {
      return model(outcome);
    }
    if (actual instanceof TransactionOutcome outcome) {
      return model(outcome);
    }
    if (actual instanceof ConfigureOutcome outcome) {
      return model(outcome);
    }
    if (actual instanceof DeleteOutcome.Rejected) {
      return new DeleteOutcome.Rejected(ModelRules.PROBLEM);
    }
    return operated(actual);
  }

  private Object operated(Object actual) {
    if (actual instanceof MessageOutcome.Done done) {
      return new MessageOutcome.Done(names.modelQueue(done.queue()), model(done.ended()));
    }
    if (actual instanceof RemovalOutcome.Removed removed) {
      return new RemovalOutcome.Removed(removed.count(), model(removed.ended()));
    }
    if (actual instanceof PartitionDeletion.Deleted deleted) {
      return new PartitionDeletion.Deleted(names.model(deleted.partitionId()));
    }
    if (actual instanceof GroupOutcome.Changed changed) {
      return new GroupOutcome.Changed(
          changed.count(),
          changed.queues().stream().map(names::modelQueue).collect(Collectors.toSet()));
    }
    if (actual instanceof RedriveOutcome.Redriven redriven) {
      return new RedriveOutcome.Redriven(
          names.modelQueue(redriven.queue()),
          redriven.count(),
          redriven.remaining(),
          redriven.partitions().stream()
              .map(
                  each ->
                      new RedriveOutcome.Appended(
                          names.model(each.partitionId()), each.partition()))
              .sorted(Comparator.comparing(RedriveOutcome.Appended::partition))
              .toList(),
          redriven.messageIds().stream().map(names::model).toList());
    }
    return actual;
  }

  private List<EndedLease> model(List<EndedLease> ended) {
    return ended.stream()
        .map(
            each ->
                new EndedLease(
                    names.model(each.partitionId()),
                    each.partition(),
                    names.modelGroup(each.group())))
        .sorted(Comparator.comparing(EndedLease::partition).thenComparing(EndedLease::group))
        .toList();
  }

  private PushOutcome model(PushOutcome outcome) {
    if (outcome instanceof PushOutcome.Queued queued) {
      return model(queued);
    }
    if (outcome instanceof PushOutcome.Duplicate duplicate) {
      return model(duplicate);
    }
    return new PushOutcome.Rejected(ModelRules.PROBLEM);
  }

  private PushOutcome.Queued model(PushOutcome.Queued queued) {
    return new PushOutcome.Queued(
        queued.messageId(), names.model(queued.partitionId()), queued.offset(), queued.createdAt());
  }

  private PushOutcome.Duplicate model(PushOutcome.Duplicate duplicate) {
    return new PushOutcome.Duplicate(
        names.model(duplicate.firstMessageId()), names.model(duplicate.partitionId()));
  }

  private PopOutcome model(PopOutcome outcome) {
    if (outcome instanceof PopOutcome.Served served) {
      return new PopOutcome.Served(
          served.batches().stream().map(this::model).toList(),
          served.passed().stream().map(this::model).toList());
    }
    return new PopOutcome.Rejected(ModelRules.PROBLEM);
  }

  private PartitionBatch model(PartitionBatch batch) {
    return new PartitionBatch(
        names.modelQueue(batch.queue()),
        batch.partition(),
        names.model(batch.partitionId()),
        batch.lease().map(lease -> new Lease(names.model(lease.id()), lease.expiresAt())),
        batch.backlog(),
        batch.messages().stream().map(this::model).toList());
  }

  /** Whether the store has it sealed depends on what the broker believed. */
  private StoredMessage model(StoredMessage message) {
    return new StoredMessage(
        message.offset(),
        names.model(message.id()),
        message.transactionId(),
        message.payload(),
        message.traceId(),
        message.producerSub(),
        PayloadForm.PLAIN,
        message.createdAt(),
        message.attempt());
  }

  private SkippedPartition model(SkippedPartition passed) {
    return new SkippedPartition(
        passed.partitionId().map(names::model), passed.reason(), passed.dueAt());
  }

  private AckOutcome model(AckOutcome outcome) {
    if (outcome instanceof AckOutcome.Applied applied) {
      return model(applied);
    }
    if (outcome instanceof AckOutcome.Failed failed) {
      return model(failed);
    }
    return new AckOutcome.Rejected(ModelRules.PROBLEM);
  }

  private AckOutcome.Applied model(AckOutcome.Applied applied) {
    return new AckOutcome.Applied(
        names.modelQueue(applied.queue()),
        applied.partition(),
        applied.leaseReleased(),
        applied.deadLettered());
  }

  private AckOutcome.Failed model(AckOutcome.Failed failed) {
    return new AckOutcome.Failed(
        failed.reason(), names.modelQueue(failed.queue()), failed.partition());
  }

  private TransactionOutcome model(TransactionOutcome outcome) {
    if (outcome instanceof TransactionOutcome.Committed committed) {
      return new TransactionOutcome.Committed(
          committed.results().stream().map(this::model).toList());
    }
    return new TransactionOutcome.RolledBack(
        model(((TransactionOutcome.RolledBack) outcome).cause()));
  }

  private OperationResult model(OperationResult result) {
    if (result instanceof OperationResult.Pushed pushed) {
      return new OperationResult.Pushed(model(pushed.queued()));
    }
    return new OperationResult.Acknowledged(
        model(((OperationResult.Acknowledged) result).applied()));
  }

  private Cause model(Cause cause) {
    if (cause instanceof Cause.DuplicatePush push) {
      return new Cause.DuplicatePush(push.operation(), model(push.duplicate()));
    }
    if (cause instanceof Cause.AckFailed ack) {
      return new Cause.AckFailed(ack.operation(), model(ack.failed()));
    }
    if (cause instanceof Cause.Rejected rejected) {
      return new Cause.Rejected(rejected.operation(), ModelRules.PROBLEM);
    }
    return cause;
  }

  private ConfigureOutcome model(ConfigureOutcome outcome) {
    if (outcome instanceof ConfigureOutcome.Configured configured) {
      QueueSettings settings = configured.settings();
      return new ConfigureOutcome.Configured(
          new QueueSettings(
              NO_ID,
              names.modelQueue(settings.queue()),
              "",
              "",
              settings.options(),
              Instant.EPOCH,
              names.model(settings.defaultPartitionId())));
    }
    return new ConfigureOutcome.Rejected(ModelRules.PROBLEM);
  }
}
