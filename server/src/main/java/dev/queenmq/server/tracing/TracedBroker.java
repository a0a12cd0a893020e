package dev.queenmq.server.tracing;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.LeaseHolder;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import io.vertx.core.Future;
import java.util.List;

/** A broker for the calls of one request, whose span learns from them what the request did. */
final class TracedBroker implements Broker {
  private static final String QUEUE = "messaging.destination.name";
  private static final String PARTITION = "messaging.destination.partition.id";
  private static final String GROUP = "messaging.consumer.group.name";
  private static final String COUNT = "messaging.batch.message_count";

  private final Broker broker;
  private final Tracer tracer;
  private final RequestSpan request;
  private final Span span;

  TracedBroker(Broker broker, Tracer tracer, RequestSpan request, Span span) {
    this.broker = broker;
    this.tracer = tracer;
    this.request = request;
    this.span = span;
  }

  @Override
  public Future<List<PushOutcome>> push(List<Message> messages) {
    span.put(COUNT, messages.size());
    if (!messages.isEmpty()) {
      String queue = messages.get(0).queue();
      if (messages.stream().allMatch(message -> message.queue().equals(queue))) {
        about(queue);
      }
    }
    return during(messages, broker.push(entered(messages)));
  }

  @Override
  public Poll pop(PollRequest asked) {
    about(asked.target());
    span.put(GROUP, asked.group());
    LeaseHolder holder = asked.holder();
    // A holder of its own, by which the call that carries it is found.
    LeaseHolder own = new LeaseHolder(holder.address(), holder.subject(), holder.broker());
    tracer.enters(own, span.context());
    Poll poll = broker.pop(asked.by(own));
    poll.answer().onComplete(done -> tracer.leaves(own, span.context())).onSuccess(this::delivered);
    return poll;
  }

  @Override
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    span.put(COUNT, acks.size());
    for (Ack ack : acks) {
      ack.leaseId().flatMap(tracer::popOf).ifPresent(span::link);
    }
    return during(acks, broker.ack(entered(acks)))
        .onSuccess(
            outcomes -> {
              long failed =
                  outcomes.stream().filter(each -> !(each instanceof AckOutcome.Applied)).count();
              if (failed > 0) {
                span.put("queen.acks.failed", failed);
              }
              outcomes.stream()
                  .filter(AckOutcome.Applied.class::isInstance)
                  .map(each -> ((AckOutcome.Applied) each).queue())
                  .findFirst()
                  .ifPresent(this::about);
            });
  }

  @Override
  public Future<TransactionOutcome> transaction(Transaction transaction) {
    span.put(COUNT, transaction.operations().size());
    for (Operation operation : transaction.operations()) {
      if (operation instanceof Operation.Acknowledge acknowledge) {
        acknowledge.ack().leaseId().flatMap(tracer::popOf).ifPresent(span::link);
      }
    }
    List<Transaction> items = List.of(transaction.identified());
    return during(items, broker.transaction(entered(items).get(0)));
  }

  @Override
  public Future<RenewOutcome> renew(Renewal renewal) {
    tracer.popOf(renewal.leaseId()).ifPresent(span::link);
    List<Renewal> items = List.of(renewal);
    return during(items, broker.renew(entered(items).get(0)));
  }

  @Override
  public Future<ConfigureOutcome> configure(QueueConfiguration configuration) {
    return broker.configure(configuration);
  }

  @Override
  public Future<DeleteOutcome> deleteQueue(String queue) {
    return broker.deleteQueue(queue);
  }

  @Override
  public Future<SeekOutcome> seek(Seek seek) {
    return broker.seek(seek);
  }

  @Override
  public Future<GroupOutcome> deleteGroup(GroupDeletion deletion) {
    return broker.deleteGroup(deletion);
  }

  @Override
  public Future<GroupOutcome> moveSubscription(SubscriptionMove move) {
    return broker.moveSubscription(move);
  }

  @Override
  public void release(Polled undelivered) {
    broker.release(undelivered);
  }

  private void delivered(Polled polled) {
    span.put(COUNT, polled.size());
    if (polled.batches().isEmpty()) {
      request.foundNothing();
    }
    for (PartitionBatch batch : polled.batches()) {
      about(batch.queue());
      batch.lease().ifPresent(lease -> tracer.leased(lease.id(), span.context()));
      for (StoredMessage message : batch.messages()) {
        SpanContext.ofMessage(message.traceId(), message.transactionId(), message.id())
            .ifPresent(span::link);
      }
    }
    if (polled.batches().size() == 1) {
      span.put(PARTITION, polled.batches().get(0).partition());
    }
  }

  private void about(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      about(queue.queue());
    } else if (target instanceof PollTarget.Partition partition) {
      about(partition.queue());
      span.put(PARTITION, partition.partition());
    }
  }

  private void about(String queue) {
    if (!span.attributes().containsKey(QUEUE)) {
      span.put(QUEUE, queue);
      span.rename(span.name() + " " + queue);
    }
  }

  private <T> List<T> entered(List<T> items) {
    items.forEach(item -> tracer.enters(item, span.context()));
    return items;
  }

  private <T> Future<T> during(List<?> items, Future<T> call) {
    return call.onComplete(done -> items.forEach(item -> tracer.leaves(item, span.context())));
  }
}
