package dev.queenmq.server.store;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.polling.ReconcilePage;
import dev.queenmq.server.model.polling.TailLook;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StateRead;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.store.ack.AckProcedure;
import dev.queenmq.server.store.ack.LeaseGroups;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.ack.RenewProcedure;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.deadletters.DeadLetterProcedures;
import dev.queenmq.server.store.deadletters.MessageProcedures;
import dev.queenmq.server.store.groups.DeleteGroupProcedure;
import dev.queenmq.server.store.groups.MoveSubscriptionProcedure;
import dev.queenmq.server.store.groups.OperatorProcedures;
import dev.queenmq.server.store.groups.SeekProcedure;
import dev.queenmq.server.store.pop.LostPops;
import dev.queenmq.server.store.pop.PayloadDecryptor;
import dev.queenmq.server.store.pop.PopProcedure;
import dev.queenmq.server.store.pop.ReconcileProcedure;
import dev.queenmq.server.store.pop.TailProcedure;
import dev.queenmq.server.store.push.AppendContext;
import dev.queenmq.server.store.push.AppendMemory;
import dev.queenmq.server.store.push.DedupWindowLoader;
import dev.queenmq.server.store.push.IdHash;
import dev.queenmq.server.store.push.PayloadEncryptor;
import dev.queenmq.server.store.push.PushProcedure;
import dev.queenmq.server.store.push.SizeLimitedQueues;
import dev.queenmq.server.store.push.WaitingPolls;
import dev.queenmq.server.store.queues.ClearProcedure;
import dev.queenmq.server.store.queues.ConfigureProcedure;
import dev.queenmq.server.store.queues.DeletePartitionProcedure;
import dev.queenmq.server.store.queues.DeleteQueuesProcedure;
import dev.queenmq.server.store.queues.DropSegmentsProcedure;
import dev.queenmq.server.store.queues.SweepProcedure;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.store.recent.RecentMessages;
import dev.queenmq.server.store.streams.CycleProcedure;
import dev.queenmq.server.store.streams.StreamProcedures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The message store: batched, asynchronous access to the procedures. Each method takes many
 * requests, sends them in one call, and answers per request, in their order; a request that cannot
 * be carried out gets an answer that says so, and affects no other. A call that PostgreSQL did not
 * carry out fails as a whole with a {@link StoreException}.
 *
 * <p>May be called from any thread. What it remembers between calls belongs to the context it was
 * made with, and every call runs there; a caller on that context loses no time.
 */
public final class MessageStore {
  private final Context context;

  /** The thread of the context, once it is known. */
  private volatile @Nullable Thread loop;

  private final AppendMemory memory;
  private final RecentMessages recent;
  private final SizeLimitedQueues sizeLimited;
  private final PayloadEncryptor encryptor;
  private final LeaseMemory leases;
  private final PushProcedure push;
  private final LostPops lostPops;
  private final PopProcedure pop;
  private final AckProcedure ack;
  private final TransactionProcedure transaction;
  private final CycleProcedure cycle;
  private final StreamProcedures streams;
  private final RenewProcedure renew;
  private final SeekProcedure seek;
  private final DeleteGroupProcedure deleteGroup;
  private final MoveSubscriptionProcedure moveSubscription;
  private final ConfigureProcedure configure;
  private final DeleteQueuesProcedure deleteQueues;
  private final SweepProcedure sweep;
  private final SweepTurns sweeps;
  private final TailProcedure tail;
  private final ReconcileProcedure reconcile;
  private final DropSegmentsProcedure dropSegments;
  private final MessageProcedures messages;
  private final DeadLetterProcedures deadLetters;
  private final ClearProcedure clear;
  private final DeletePartitionProcedure deletePartition;
  private final OperatorProcedures operator;

  /**
   * A store.
   *
   * @param context owns the memory
   * @param client carries the calls; one that pipelines serves best
   * @param hashSeed any number, best a random one: see {@link IdHash}
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public MessageStore(
      Context context,
      SqlClient client,
      StoreOptions options,
      long hashSeed,
      InstantSource clock,
      LongSupplier nanoTime) {
    this(context, StoreClient.of(client), options, hashSeed, clock, nanoTime);
  }

  /**
   * A store.
   *
   * @param context owns the memory
   * @param client carries the calls, also several at a time
   * @param hashSeed any number, best a random one: see {@link IdHash}
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public MessageStore(
      Context context,
      StoreClient client,
      StoreOptions options,
      long hashSeed,
      InstantSource clock,
      LongSupplier nanoTime) {
    this(
        context,
        client,
        options,
        hashSeed,
        transaction -> {},
        new SweepTurns(),
        Encryption.none(),
        AnswerMemory.unlimited(),
        clock,
        nanoTime);
  }

  /**
   * A store.
   *
   * @param context owns the memory
   * @param client carries the calls, also several at a time
   * @param hashSeed any number, best a random one: see {@link IdHash}
   * @param appended called with each transaction that appended messages and whose answer came back
   * @param sweeps of the broker that this store belongs to
   * @param encryption of payloads
   * @param answers memory for what pops bring
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public MessageStore(
      Context context,
      StoreClient client,
      StoreOptions options,
      long hashSeed,
      LongConsumer appended,
      SweepTurns sweeps,
      Encryption encryption,
      AnswerMemory answers,
      InstantSource clock,
      LongSupplier nanoTime) {
    this(
        context,
        client,
        options,
        hashSeed,
        appended,
        sweeps,
        encryption,
        answers,
        new LeaseMemory(clock),
        clock,
        nanoTime);
  }

  /**
   * A store.
   *
   * @param context owns the memory
   * @param client carries the calls, also several at a time
   * @param hashSeed any number, best a random one: see {@link IdHash}
   * @param appended called with each transaction that appended messages and whose answer came back
   * @param sweeps of the broker that this store belongs to
   * @param encryption of payloads
   * @param answers memory for what pops bring
   * @param leases of the broker that this store belongs to
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public MessageStore(
      Context context,
      StoreClient client,
      StoreOptions options,
      long hashSeed,
      LongConsumer appended,
      SweepTurns sweeps,
      Encryption encryption,
      AnswerMemory answers,
      LeaseMemory leases,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.context = context;
    this.leases = leases;
    IdHash hash = new IdHash(hashSeed);
    memory = new AppendMemory(options.rememberedPartitions(), options.rememberedIds());
    recent = new RecentMessages(options.recentBytes());
    DedupWindowLoader recall = new DedupWindowLoader(client, memory, hash, options.shard());
    sizeLimited = new SizeLimitedQueues(client);
    LeaseGroups leaseGroups = new LeaseGroups(client, options.shard());
    encryptor = new PayloadEncryptor(encryption, options.rememberedPartitions());
    AppendContext append =
        new AppendContext(
            client, memory, recent, encryptor, hash, recall, sizeLimited, options, appended, clock);
    push = new PushProcedure(append, answers, leases);
    transaction = new TransactionProcedure(append, leaseGroups);
    cycle = new CycleProcedure(append);
    streams = new StreamProcedures(client, options.shard());
    lostPops = new LostPops(context, client, options.shard(), nanoTime);
    pop =
        new PopProcedure(
            client,
            new PayloadDecryptor(client, encryption, options.shard(), nanoTime),
            lostPops,
            answers,
            leases,
            recent,
            options);
    ack = new AckProcedure(client, leaseGroups, leases, options);
    renew = new RenewProcedure(client, options.shard());
    seek = new SeekProcedure(client, options.shard());
    deleteGroup = new DeleteGroupProcedure(client, options.shard());
    moveSubscription = new MoveSubscriptionProcedure(client, options.shard());
    configure = new ConfigureProcedure(client, encryptor, context, options.shard(), nanoTime);
    sweep = new SweepProcedure(client, options.shard(), context, sweeps, nanoTime);
    this.sweeps = sweeps;
    deleteQueues = new DeleteQueuesProcedure(client, memory, sweep, options.shard());
    tail = new TailProcedure(client, options.shard());
    reconcile = new ReconcileProcedure(client, options.shard());
    dropSegments = new DropSegmentsProcedure(client, options.shard());
    messages = new MessageProcedures(client, options.shard());
    deadLetters = new DeadLetterProcedures(client, appended, encryption, options.shard());
    clear = new ClearProcedure(client, options.shard());
    deletePartition = new DeletePartitionProcedure(client, memory, sweep, options.shard());
    operator = new OperatorProcedures(client, options.shard());
  }

  /**
   * Drops what it remembers, since another server takes the writes now. On the context, while no
   * call is under way whose answer could be remembered: see {@code Slots}. What was lost on the way
   * (pops without a reply, sweeps that are due) stays, because PostgreSQL is asked about it.
   */
  public void forgetAll() {
    memory.forgetAll();
    recent.forgetAll();
    sizeLimited.forgetAll();
    encryptor.forgetAll();
    pop.forgetAll();
    leases.forgetAll();
  }

  /** Appends messages, in their order within each partition. */
  public Future<List<PushOutcome>> push(List<Message> messages) {
    return push(messages, WaitingPolls.NONE);
  }

  /**
   * Appends messages, in their order within each partition.
   *
   * @param polls that may get them at once
   */
  public Future<List<PushOutcome>> push(List<Message> messages, WaitingPolls polls) {
    return onContext(() -> push.push(messages, polls));
  }

  /** Leases messages, oldest first. */
  public Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    return onContext(() -> pop.pop(requests));
  }

  /** Takes acks; all of one (partition, group) are applied together. */
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    return onContext(() -> ack.ack(acks));
  }

  /** The queue of an ack, if this broker gave its lease lately. For any thread. */
  public Optional<String> queueOf(Ack ack) {
    return leases.queueOf(ack);
  }

  /** Does all of it or nothing. */
  public Future<TransactionOutcome> transaction(Transaction operations) {
    return onContext(() -> transaction.run(operations));
  }

  /** Registers a query of stream processors, or finds it. */
  public Future<StreamRegistration> register(StreamQuery query) {
    return onContext(() -> streams.register(query));
  }

  /** Does all of a cycle or nothing; after the one before it of the same query and partition. */
  public Future<CycleOutcome> cycle(Cycle request) {
    return onContext(() -> cycle.run(request));
  }

  /** Reads what cycles have kept. */
  public Future<StatePage> state(StateRead read) {
    return onContext(() -> streams.read(read));
  }

  /** Extends leases. */
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return onContext(() -> renew.renew(renewals));
  }

  /** Moves a group. */
  public Future<SeekOutcome> seek(Seek request) {
    return onContext(() -> seek.seek(request));
  }

  /** Forgets how far a group is. */
  public Future<GroupOutcome> deleteGroup(GroupDeletion deletion) {
    return onContext(() -> deleteGroup.delete(deletion));
  }

  /** Changes where a group starts on partitions that it has not read. */
  public Future<GroupOutcome> moveSubscription(SubscriptionMove move) {
    return onContext(() -> moveSubscription.move(move));
  }

  /** Creates queues or changes their options. */
  public Future<List<ConfigureOutcome>> configure(List<QueueConfiguration> configurations) {
    return onContext(() -> configure.configure(configurations));
  }

  /** Deletes queues with all that is in them; the space that it took is freed later. */
  public Future<List<DeleteOutcome>> deleteQueues(List<String> queues) {
    return onContext(() -> deleteQueues.delete(queues));
  }

  /** Deletes a message for all groups, and its dead letters. */
  public Future<MessageOutcome> deleteMessage(MessageKey message) {
    return onContext(() -> messages.delete(message));
  }

  /** Moves a message to the dead letters. */
  public Future<MessageOutcome> deadLetter(DeadLettering deadLettering) {
    return onContext(() -> messages.deadLetter(deadLettering));
  }

  /** Gives dead letters back. */
  public Future<RedriveOutcome> redrive(Redrive redrive) {
    return onContext(() -> deadLetters.redrive(redrive));
  }

  /** Removes dead letters for good. */
  public Future<RemovalOutcome> purge(DeadLetterSelection selection) {
    return onContext(() -> deadLetters.purge(selection));
  }

  /** Removes all messages of a queue, or of one of its partitions. */
  public Future<RemovalOutcome> clear(String queue, Optional<String> partition) {
    return onContext(() -> clear.clear(queue, partition));
  }

  /** Deletes a partition with all that is in it; the space that it took is freed later. */
  public Future<PartitionDeletion> deletePartition(String queue, String partition) {
    return onContext(() -> deletePartition.delete(queue, partition));
  }

  /** Ends a lease as if its time were over; answers the partitions that it held, by queue. */
  public Future<Map<String, List<EndedLease>>> endLease(UUID leaseId) {
    return onContext(() -> operator.endLease(leaseId));
  }

  /** Pauses pops, or lets them go on. */
  public Future<PauseOutcome> pause(PopPause pause) {
    return onContext(() -> operator.pause(pause));
  }

  /**
   * Which partitions got messages and which groups were moved since the look that answered this
   * bookmark; without one, where to start from.
   */
  public Future<TailLook> tail(Optional<String> bookmark) {
    return onContext(() -> tail.look(bookmark, List.of(), Optional.empty()));
  }

  /**
   * The same without what these transactions appended.
   *
   * @param known as a store passed them to its listener
   * @param broker this broker, as it has registered
   */
  public Future<TailLook> tail(Optional<String> bookmark, List<Long> known, UUID broker) {
    return onContext(() -> tail.look(bookmark, known, Optional.of(broker)));
  }

  /** A broker is up; to be repeated every 15 seconds or so. */
  public Future<Void> register(UUID broker) {
    return onContext(() -> tail.register(broker));
  }

  /** A broker ends. */
  public Future<Void> deregister(UUID broker) {
    return onContext(() -> tail.deregister(broker));
  }

  /** Which of the next partitions of a queue, by name, have messages for a group. */
  public Future<ReconcilePage> reconcile(
      String queue, String group, Optional<String> after, int partitions) {
    return onContext(
        () ->
            lostPops.isEmpty()
                ? reconcile.page(queue, group, after, partitions)
                : lostPops
                    .recoverFor(queue, group)
                    .compose(done -> reconcile.page(queue, group, after, partitions)));
  }

  /**
   * Removes the oldest segments of a partition that were written before a moment and lie wholly
   * below an offset; answers how many messages went.
   */
  public Future<Long> dropSegments(UUID partitionId, Instant before, long below, int segments) {
    return onContext(() -> dropSegments.drop(partitionId, before, below, segments));
  }

  /**
   * Removes the tail that is older than this and the lists of leases that have ended, in steps;
   * returns the number of rows.
   */
  public Future<Long> trim(Duration keep) {
    return onContext(() -> tail.trim(keep));
  }

  /** Removes old answers to redrives and the room of deleted queues; answers how many rows went. */
  public Future<Integer> trimAnswers() {
    return onContext(tail::trimAnswers);
  }

  /**
   * Removes what deleted partitions left behind, without haste; answers how many rows went. Goes
   * after what was deleted through this store before.
   */
  public Future<Long> sweepOrphans() {
    return sweep.sweepAll();
  }

  /** Completes when nothing that was deleted through this store waits to be removed. */
  public Future<Void> swept() {
    return sweeps.done();
  }

  /**
   * Asks for the thread, not for the context: a request has a context of its own on the same event
   * loop.
   */
  private <T> Future<T> onContext(Supplier<Future<T>> call) {
    if (Thread.currentThread() == loop) {
      return call.get();
    }
    Promise<T> promise = Promise.promise();
    // Composed, so that an exception fails the call instead of leaving it unanswered.
    context.runOnContext(
        go -> {
          if (context.isEventLoopContext()) {
            loop = Thread.currentThread();
          }
          Future.succeededFuture().compose(started -> call.get()).onComplete(promise);
        });
    return promise.future();
  }
}
