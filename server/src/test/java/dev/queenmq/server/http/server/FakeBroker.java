package dev.queenmq.server.http.server;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Notes what it is asked, and answers what a test tells it to. */
public final class FakeBroker implements Broker {
  public final List<FakePoll> polls = new CopyOnWriteArrayList<>();
  public final List<Polled> released = new CopyOnWriteArrayList<>();
  public final List<List<Message>> pushed = new CopyOnWriteArrayList<>();
  public final List<String> deleted = new CopyOnWriteArrayList<>();
  public final List<Promise<Void>> held = new CopyOnWriteArrayList<>();
  volatile @Nullable RuntimeException failure;
  volatile boolean holdPushes;
  volatile RenewOutcome renewal = new RenewOutcome.Missing();

  /** A poll that waits for the test. */
  public static final class FakePoll implements Poll {
    final PollRequest request;
    final Promise<Polled> answer;
    volatile boolean cancelled;

    FakePoll(PollRequest request, Promise<Polled> answer) {
      this.request = request;
      this.answer = answer;
    }

    @Override
    public Future<Polled> answer() {
      return answer.future();
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  private <T> Future<T> answer(T result) {
    RuntimeException refusal = failure;
    return refusal == null ? Future.succeededFuture(result) : Future.failedFuture(refusal);
  }

  @Override
  public Future<List<PushOutcome>> push(List<Message> messages) {
    pushed.add(messages);
    List<PushOutcome> outcomes =
        messages.stream()
            .map(
                message ->
                    (PushOutcome)
                        new PushOutcome.Queued(message.id(), new UUID(0, 1), 0, Instant.EPOCH))
            .toList();
    if (!holdPushes) {
      return answer(outcomes);
    }
    Promise<Void> gate = promise();
    held.add(gate);
    return gate.future().map(outcomes);
  }

  @Override
  public Poll pop(PollRequest request) {
    FakePoll poll = new FakePoll(request, promise());
    RuntimeException refusal = failure;
    if (refusal != null) {
      poll.answer.fail(refusal);
    }
    polls.add(poll);
    return poll;
  }

  /** Completed by the test's thread, it answers on the event loop of the caller. */
  private static <T> Promise<T> promise() {
    return ((ContextInternal) Vertx.currentContext()).promise();
  }

  @Override
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    return answer(
        acks.stream()
            .map(ack -> (AckOutcome) new AckOutcome.Applied("q", "p", true, false))
            .toList());
  }

  @Override
  public Future<TransactionOutcome> transaction(Transaction transaction) {
    return answer(new TransactionOutcome.RolledBack(new TransactionOutcome.Cause.LeaseLost()));
  }

  @Override
  public Future<RenewOutcome> renew(Renewal request) {
    return answer(renewal);
  }

  @Override
  public Future<ConfigureOutcome> configure(QueueConfiguration configuration) {
    throw new IllegalStateException("a defect");
  }

  @Override
  public Future<DeleteOutcome> deleteQueue(String queue) {
    deleted.add(queue);
    return answer(new DeleteOutcome.Deleted(true));
  }

  @Override
  public Future<SeekOutcome> seek(Seek seek) {
    return answer(new SeekOutcome.NotFound());
  }

  @Override
  public Future<GroupOutcome> deleteGroup(GroupDeletion deletion) {
    return answer(new GroupOutcome.Changed(0, Set.of()));
  }

  @Override
  public Future<GroupOutcome> moveSubscription(SubscriptionMove move) {
    return answer(new GroupOutcome.Changed(0, Set.of()));
  }

  @Override
  public void release(Polled undelivered) {
    released.add(undelivered);
  }
}
