package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Between the model's names and ids and those of the store: one to one, or it shows. A run of a
 * sequence has queues of its own; partitions and leases are introduced by the answers that first
 * name them.
 */
final class Translation {
  private final String prefix;
  private final Map<UUID, UUID> toReal = new HashMap<>();
  private final Map<UUID, UUID> toModel = new HashMap<>();

  /** For a run whose queues start with this. */
  Translation(String prefix) {
    this.prefix = prefix;
  }

  /** If neither id is known, they mean the same from now on. */
  void introduce(UUID model, UUID real) {
    // An id that means nothing yet is sent, and comes back, as it is.
    if (!model.equals(real) && !toReal.containsKey(model) && !toModel.containsKey(real)) {
      toReal.put(model, real);
      toModel.put(real, model);
    }
  }

  /**
   * The store may have given another id to what keeps its id in the model: a message that was given
   * back.
   */
  void alias(UUID model, UUID real) {
    if (!model.equals(real)) {
      toModel.putIfAbsent(real, model);
    }
  }

  UUID real(UUID model) {
    return toReal.getOrDefault(model, model);
  }

  UUID model(UUID real) {
    return toModel.getOrDefault(real, real);
  }

  String realQueue(String queue) {
    return queue.isEmpty() ? queue : prefix + queue;
  }

  String modelQueue(String queue) {
    return queue.startsWith(prefix) ? queue.substring(prefix.length()) : queue;
  }

  /** Groups are known on all queues, so each run has its own; but for those without a name. */
  String realGroup(String group) {
    return group.isEmpty() || group.equals(PopRequest.QUEUE_MODE) ? group : prefix + group;
  }

  String modelGroup(String group) {
    return modelQueue(group);
  }

  /** Some come sealed already. */
  Message real(Message message) {
    boolean sealed =
        message.id().getLeastSignificantBits() % 10 == 0 && message.payload().startsWith("{");
    return new Message(
        realQueue(message.queue()),
        message.partition(),
        message.id(),
        message.transactionId(),
        sealed
            ? ModelBroker.CIPHER.seal(
                message.payload(),
                new MessageIdentity(realQueue(message.queue()), message.partition(), message.id()))
            : message.payload(),
        message.traceId(),
        message.producerSub(),
        sealed);
  }

  PopRequest real(PopRequest request) {
    PopTarget target;
    if (request.target() instanceof PopTarget.Candidates candidates) {
      target =
          new PopTarget.Candidates(
              candidates.queue().map(this::realQueue),
              candidates.partitionIds().stream().map(this::real).toList());
    } else {
      PopTarget.Named named = (PopTarget.Named) request.target();
      target = new PopTarget.Named(realQueue(named.queue()), named.partition());
    }
    return new PopRequest(
        target,
        realGroup(request.group()),
        request.batch(),
        request.maxPartitions(),
        request.autoAck(),
        request.subscription());
  }

  Ack real(Ack ack) {
    return new Ack(
        real(ack.partitionId()),
        realGroup(ack.group()),
        ack.message(),
        ack.leaseId().map(this::real),
        ack.status(),
        ack.error());
  }

  Transaction real(Transaction transaction) {
    return new Transaction(
        transaction.operations().stream().map(this::real).toList(),
        transaction.requiredLeases().stream().map(this::real).toList());
  }

  private Operation real(Operation operation) {
    if (operation instanceof Operation.Push push) {
      return new Operation.Push(real(push.message()));
    }
    return new Operation.Acknowledge(real(((Operation.Acknowledge) operation).ack()));
  }

  Renewal real(Renewal renewal) {
    return new Renewal(real(renewal.leaseId()), renewal.extension());
  }

  Seek real(Seek seek) {
    return new Seek(realQueue(seek.queue()), seek.partition(), realGroup(seek.group()), seek.to());
  }

  GroupDeletion real(GroupDeletion deletion) {
    return new GroupDeletion(
        realGroup(deletion.group()),
        deletion.queue().map(this::realQueue),
        deletion.subscription());
  }

  SubscriptionMove real(SubscriptionMove move) {
    return new SubscriptionMove(realGroup(move.group()), move.moment());
  }

  MessageKey real(MessageKey message) {
    return new MessageKey(real(message.partitionId()), message.transactionId());
  }

  DeadLettering real(DeadLettering deadLettering) {
    return new DeadLettering(
        real(deadLettering.message()), realGroup(deadLettering.group()), deadLettering.error());
  }

  Redrive real(Redrive redrive) {
    if (redrive instanceof Redrive.OneMessage one) {
      return new Redrive.OneMessage(real(one.message()), one.group().map(this::realGroup));
    }
    Redrive.Selected some = (Redrive.Selected) redrive;
    return new Redrive.Selected(real(some.selection()), some.limit(), some.requestId());
  }

  DeadLetterSelection real(DeadLetterSelection selection) {
    return new DeadLetterSelection(
        realQueue(selection.queue()),
        selection.partition(),
        selection.group().map(this::realGroup),
        selection.from(),
        selection.until(),
        selection.transactionIds());
  }

  QueueConfiguration real(QueueConfiguration configuration) {
    return new QueueConfiguration(
        realQueue(configuration.queue()),
        configuration.namespace(),
        configuration.task(),
        configuration.options(),
        configuration.merge());
  }

  Optional<String> modelQueue(Optional<String> queue) {
    return queue.map(this::modelQueue);
  }

  List<String> realQueues(List<String> queues) {
    return queues.stream().map(this::realQueue).toList();
  }
}
