package dev.queenmq.bench.audit;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.HeldBatch;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.broker.AckResult;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.model.transactions.TransactionOutcome.Cause;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

/**
 * Pushes through either of two brokers, and pops the partitions that its group is known to have
 * ready, through a store of its own.
 */
final class StoreClient implements AuditClient {
  private static final Duration IDLE = Duration.ofMillis(15);
  private static final long NO_SUCH_OFFSET = 1L << 40;
  private static final int SOON_MILLIS = 50;

  private final AuditContext audit;
  private final StoreFront front;
  private final MessageStore store;
  private final Random random;

  StoreClient(AuditContext audit, StoreFront front, Random random) {
    this.audit = audit;
    this.front = front;
    this.random = random;
    store = front.newStore(1);
  }

  @Override
  public Future<List<PushResult>> push(List<AuditedMessage> messages, Sending how) {
    Future<Void> before =
        random.nextInt(20) == 0 ? rehearse(records(messages)) : Future.succeededFuture();
    return before.compose(
        ready -> {
          long sent = System.nanoTime();
          return front
              .anyBroker(random)
              .push(records(messages))
              .map(outcomes -> results(messages, outcomes, sent));
        });
  }

  /** With new message ids, as a broker makes them for every attempt. */
  private List<Message> records(List<AuditedMessage> messages) {
    return messages.stream().map(message -> message(message, audit.names().queue())).toList();
  }

  private Message message(AuditedMessage message, String queue) {
    return Message.of(
        queue,
        Names.partition(message.partition()),
        front.ids().next(),
        message.transactionId(),
        message.payload());
  }

  /**
   * Pushes within a transaction that holds its locks for a while and is rolled back: nothing of it
   * may be seen. The store used for it is thrown away, because no broker ever takes back a push.
   */
  private Future<Void> rehearse(List<Message> messages) {
    Context context = audit.loop().context();
    return StoreConnection.connect(context.owner(), context, front.options())
        .compose(
            connection ->
                connection
                    .begin()
                    .compose(
                        transaction ->
                            pushAndHold(connection, messages).eventually(transaction::rollback))
                    .eventually(connection::close))
        .onSuccess(done -> audit.ledger().add(Count.ROLLBACKS))
        .otherwiseEmpty();
  }

  private Future<Void> pushAndHold(PgConnection connection, List<Message> messages) {
    return new MessageStore(
            audit.loop().context(),
            connection,
            StoreOptions.defaults(),
            1,
            InstantSource.system(),
            System::nanoTime)
        .push(messages)
        .compose(pushed -> audit.loop().pause(Duration.ofMillis(random.nextInt(20))));
  }

  private List<PushResult> results(
      List<AuditedMessage> messages, List<PushOutcome> outcomes, long sent) {
    List<PushResult> results = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PushOutcome.Queued queued) {
        front.isAudited(queued.partitionId());
        front.tail().pushed(queued.partitionId(), sent);
        audit.ledger().knownAt(messages.get(i), queued.offset());
        results.add(new PushResult("queued", queued.messageId().toString()));
      } else if (outcomes.get(i) instanceof PushOutcome.Duplicate duplicate) {
        results.add(new PushResult("duplicate", duplicate.firstMessageId().toString()));
      } else {
        throw new IllegalStateException(messages.get(i) + " answered " + outcomes.get(i));
      }
    }
    return results;
  }

  @Override
  public Future<List<HeldBatch>> pop(int group) {
    long sent = System.nanoTime();
    return pop(Names.group(group), false)
        .map(
            batches -> {
              List<HeldBatch> held = new ArrayList<>();
              batches.forEach(batch -> held(group, batch, sent).ifPresent(held::add));
              return held;
            });
  }

  /** What was popped; empty, after a while, when there is nothing to look at. */
  Future<List<PartitionBatch>> pop(String group, boolean autoAck) {
    List<PopRequest> requests = new ArrayList<>();
    int count = random.nextInt(8) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      List<UUID> candidates = front.readyPartitions(group).take(1 + random.nextInt(5), random);
      if (!candidates.isEmpty()) {
        requests.add(
            new PopRequest(
                new PopTarget.Candidates(Optional.of(audit.names().queue()), candidates),
                group,
                random.nextInt(6) == 0 ? 200 : 1 + random.nextInt(30),
                1 + random.nextInt(4),
                autoAck,
                new Subscription.All()));
      }
    }
    return requests.isEmpty()
        ? audit.loop().pause(IDLE).map(List.of())
        : store.pop(requests).map(outcomes -> received(requests, outcomes));
  }

  private List<PartitionBatch> received(List<PopRequest> requests, List<PopOutcome> outcomes) {
    List<PartitionBatch> batches = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      ReadyPartitions readyPartitions = front.readyPartitions(requests.get(i).group());
      if (outcomes.get(i) instanceof PopOutcome.Served served) {
        served.passed().forEach(passed -> learn(readyPartitions, passed));
        served
            .batches()
            .forEach(
                batch ->
                    readyPartitions.add(
                        batch.partitionId(),
                        batch.lease().map(Lease::expiresAt).map(this::millisUntil).orElse(0L)));
        batches.addAll(served.batches());
        unseen(readyPartitions, requests.get(i), served);
      } else {
        throw new IllegalStateException(outcomes.get(i).toString());
      }
    }
    return batches;
  }

  /** Candidates that were not reached, because the answer was full before, stay ready. */
  private static void unseen(
      ReadyPartitions readyPartitions, PopRequest request, PopOutcome.Served served) {
    if (request.target() instanceof PopTarget.Candidates candidates) {
      List<UUID> left = new ArrayList<>(candidates.partitionIds());
      served.batches().forEach(batch -> left.remove(batch.partitionId()));
      served.passed().forEach(passed -> passed.partitionId().ifPresent(left::remove));
      left.forEach(partition -> readyPartitions.add(partition, 0));
    }
  }

  private void learn(ReadyPartitions readyPartitions, SkippedPartition passed) {
    if (passed.partitionId().isEmpty()) {
      return;
    }
    UUID partition = passed.partitionId().get();
    switch (passed.reason()) {
      case EMPTY, MISSING -> {}
      case BUSY, ALONE -> readyPartitions.add(partition, 1);
      case LEASED, PAUSED, DELAYED, WINDOW, STOPPED ->
          readyPartitions.add(
              partition, passed.dueAt().map(this::millisUntil).orElse((long) SOON_MILLIS));
    }
  }

  private long millisUntil(Instant moment) {
    return Duration.between(Instant.now(), moment).toMillis() + 1;
  }

  private Optional<HeldBatch> held(int group, PartitionBatch batch, long sent) {
    Lease lease = batch.lease().orElseThrow();
    List<AuditedMessage> messages = new ArrayList<>();
    batch.messages().forEach(stored -> find(batch, stored).ifPresent(messages::add));
    if (messages.isEmpty()) {
      return Optional.empty();
    }
    Duration length = audit.settings().lease();
    HeldBatch held =
        new HeldBatch(
            lease.id().toString(),
            batch.partitionId().toString(),
            messages.get(0).partition(),
            group,
            messages,
            sent,
            OptionalLong.of(front.onOurClock(lease.expiresAt().minus(length))),
            length);
    audit.ledger().delivered(held);
    return Optional.of(held);
  }

  private Optional<AuditedMessage> find(PartitionBatch batch, StoredMessage stored) {
    Optional<AuditedMessage> found =
        audit
            .ledger()
            .find(
                stored.transactionId(),
                batch.partition(),
                stored.id().toString(),
                new JsonObject(stored.payload()).getLong(PopMessage.NUMBER, -1L));
    found.ifPresent(message -> audit.ledger().knownAt(message, stored.offset()));
    return found;
  }

  @Override
  public Future<List<AckResult>> ack(int group, List<Said> acks, Sending how) {
    return store
        .ack(acks.stream().map(said -> ack(group, said, how.loose())).toList())
        .map(
            outcomes -> {
              List<AckResult> results = new ArrayList<>();
              for (int i = 0; i < outcomes.size(); i++) {
                results.add(result(group, acks.get(i), outcomes.get(i)));
              }
              return results;
            });
  }

  private Ack ack(int group, Said said, boolean loose) {
    MessageRef message =
        random.nextBoolean()
            ? new MessageRef.ByTransactionId(said.message().transactionId())
            : new MessageRef.ByOffset(said.message().offset());
    return ack(group, said, message, loose, status(said.status()));
  }

  private static Ack ack(
      int group, Said said, MessageRef message, boolean loose, AckStatus status) {
    return new Ack(
        UUID.fromString(said.batch().partitionId()),
        Names.group(group),
        message,
        loose ? Optional.empty() : Optional.of(UUID.fromString(said.batch().leaseId())),
        status,
        Optional.empty());
  }

  private static AckStatus status(String name) {
    return AckStatus.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private AckResult result(int group, Said said, AckOutcome outcome) {
    if (outcome instanceof AckOutcome.Applied applied) {
      if (applied.leaseReleased()) {
        free(group, said);
      }
      return new AckResult(true, applied.deadLettered(), "");
    }
    return new AckResult(
        false, false, outcome.isLeaseLost() ? AckResult.LEASE_LOST : outcome.toString());
  }

  private void free(int group, Said said) {
    front.readyPartitions(Names.group(group)).add(UUID.fromString(said.batch().partitionId()), 0);
  }

  @Override
  public Future<Boolean> extend(String leaseId) {
    Renewal renewal = new Renewal(UUID.fromString(leaseId), audit.settings().lease());
    return store
        .renew(List.of(renewal))
        .map(outcomes -> outcomes.get(0) instanceof RenewOutcome.Renewed);
  }

  /** Every fiftieth ack is that it failed: within a transaction that is an ack like others. */
  @Override
  public Future<TransactionResult> copy(int group, List<Said> acks, boolean spoil) {
    List<Operation> operations = new ArrayList<>();
    for (Said said : acks) {
      operations.add(new Operation.Push(message(said.message(), audit.names().copies())));
      AckStatus status = random.nextInt(50) == 0 ? AckStatus.FAILED : AckStatus.COMPLETED;
      operations.add(
          new Operation.Acknowledge(
              ack(group, said, new MessageRef.ByOffset(said.message().offset()), false, status)));
    }
    Said first = acks.get(0);
    if (spoil) {
      operations.add(
          new Operation.Acknowledge(
              ack(
                  group,
                  first,
                  new MessageRef.ByOffset(NO_SUCH_OFFSET),
                  false,
                  AckStatus.COMPLETED)));
    }
    List<UUID> required =
        random.nextBoolean() ? List.of(UUID.fromString(first.batch().leaseId())) : List.of();
    return store
        .transaction(new Transaction(operations, required))
        .map(
            outcome -> {
              TransactionResult.Kind kind = kind(outcome);
              if (kind == TransactionResult.Kind.COMMITTED) {
                acks.forEach(said -> free(group, said));
              }
              return new TransactionResult(kind, outcome.toString());
            });
  }

  private static TransactionResult.Kind kind(TransactionOutcome outcome) {
    if (outcome instanceof TransactionOutcome.Committed) {
      return TransactionResult.Kind.COMMITTED;
    }
    if (!(outcome instanceof TransactionOutcome.RolledBack back)) {
      return TransactionResult.Kind.OTHER;
    }
    if (back.cause() instanceof Cause.DuplicatePush) {
      return TransactionResult.Kind.DUPLICATE;
    }
    return back.cause() instanceof Cause.LeaseLost || back.cause() instanceof Cause.AckFailed
        ? TransactionResult.Kind.LEASE_LOST
        : TransactionResult.Kind.OTHER;
  }

  /** Sends nothing; the store does not learn of it. */
  @Override
  public Future<Void> die(List<HeldBatch> batches) {
    return Future.succeededFuture();
  }

  @Override
  public String broker() {
    return "";
  }

  @Override
  public Optional<PushTrouble> trouble(Throwable failure) {
    return Optional.empty();
  }

  /** Its connections are the front end's. */
  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
