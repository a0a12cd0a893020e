package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.MaintenanceFlags.Flag;
import dev.queenmq.server.sharedstate.SyncMessage.GroupMoved;
import dev.queenmq.server.sharedstate.SyncMessage.MaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionDeleted;
import dev.queenmq.server.sharedstate.SyncMessage.PartitionFree;
import dev.queenmq.server.sharedstate.SyncMessage.PopMaintenanceSet;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigDelete;
import dev.queenmq.server.sharedstate.SyncMessage.QueueConfigSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What this broker remembers and shares with others. Thread-safe: every event loop calls it.
 * Nothing here blocks or throws.
 *
 * <p>All of it is a hint. An answer may be wrong, and a message may never arrive; that may cost
 * time, never correctness. PostgreSQL decides.
 */
public final class SharedState {
  private final SharedStateOptions options;
  private final GuardedListener listener;
  private final QueueVersions versions;
  private final PartitionIds partitionIds;
  private final LeaseHints leaseHints;
  private final LeaseHintOutbox leaseOutbox = new LeaseHintOutbox();
  private final ServerHealth health;
  private final ConsumerPresence presence;
  private final MaintenanceFlags maintenance;
  private final Optional<Announcer> announcer;
  private final Receiver receiver;
  private final Refresh refresh;
  private final LongAdder ignored = new LongAdder();
  private final FailureLog mishaps = new FailureLog("the shared state failed");
  private volatile boolean running = true;

  private SharedState(
      SharedStateOptions options, Optional<SyncLink> link, Environment surroundings) {
    LongSupplier clock = surroundings.clock();
    this.options = options;
    this.listener = new GuardedListener(surroundings.listener());
    versions = new QueueVersions(clock, options.tombstone().toMillis(), new QueueChanges());
    partitionIds = new PartitionIds(clock, options.partitionMax(), options.partitionTtl());
    health = new ServerHealth(clock, options.deadThreshold().toMillis(), new Fates());
    leaseHints = new LeaseHints(clock, options.serverId(), health::alive, options.leaseHintMax());
    maintenance = new MaintenanceFlags(clock, listener::maintenance);
    LocalConsumers local = new LocalConsumers(clock, options.linger().toMillis());
    presence = new ConsumerPresence(clock, local, health, options.deadThreshold().toMillis());
    announcer = link.map(to -> new Announcer(to, clock, presence, local, leaseOutbox));
    receiver =
        new Receiver(
            versions, partitionIds, leaseHints, leaseOutbox, presence, maintenance, listener);
    refresh =
        new Refresh(
            clock,
            options.refreshInterval().toMillis(),
            () ->
                CompletableFuture.allOf(
                    versions.refresh(surroundings.versions()).toCompletableFuture(),
                    maintenance.refresh(surroundings.maintenance()).toCompletableFuture()));
  }

  /** Shares with others over a link. */
  public static SharedState withPeers(
      SharedStateOptions options, SyncLink link, Environment surroundings) {
    return new SharedState(options, Optional.of(link), surroundings);
  }

  /** Without peers: caches for itself, and still reads from the database from time to time. */
  public static SharedState alone(SharedStateOptions options, Environment surroundings) {
    return new SharedState(options, Optional.empty(), surroundings);
  }

  /** Which versions of queues are known. */
  QueueVersions versions() {
    return versions;
  }

  /** What is known of partitions. */
  public PartitionIds partitionIds() {
    return partitionIds;
  }

  /** Which other brokers are alive. */
  public ServerHealth health() {
    return health;
  }

  /** Which brokers have consumers. */
  public ConsumerPresence presence() {
    return presence;
  }

  /** The switches of maintenance. */
  public MaintenanceFlags maintenance() {
    return maintenance;
  }

  /**
   * A message of another broker, whose name and session are authentic.
   *
   * @param type the kind of message
   */
  public void receive(String sender, String session, int type, byte[] payload) {
    if (announcer.isEmpty() || !running || sender.equals(options.serverId())) {
      return;
    }
    try {
      Optional<SyncMessage> message = SyncMessageCodec.decode(type, payload);
      if (!health.heard(sender, session) || message.isEmpty()) {
        ignored.increment();
        return;
      }
      if (message.get() instanceof SyncMessage.Heartbeat heartbeat) {
        // Before it is counted as alive, it may be counted as gone.
        presence.announced(sender, heartbeat.presence());
        health.heartbeat(sender, heartbeat.leaving());
      } else {
        receiver.receive(sender, message.get());
      }
    } catch (RuntimeException e) {
      mishaps.add(e);
    }
  }

  /**
   * To be called once per heartbeat: sends one, declares silent brokers dead, and refreshes if due.
   */
  public void tick() {
    if (!running) {
      return;
    }
    try {
      versions.expire();
      health.expire();
      announcer.ifPresent(Announcer::flush);
      announcer.ifPresent(Announcer::heartbeat);
      refresh.ifDue();
    } catch (RuntimeException e) {
      mishaps.add(e);
    }
  }

  /** Sends the collected hints about leases; to be called a few times a second. */
  public void flush() {
    announcer.ifPresent(Announcer::flush);
  }

  /** Reads everything from the database now. Ends when that is done, well or not. */
  public CompletionStage<Void> refresh() {
    return refresh.now();
  }

  /**
   * The database is another one: forgets what was known of the one before, and reads again. What is
   * known of other brokers stays.
   */
  public CompletionStage<Void> startOver() {
    versions.forgetAll();
    partitionIds.dropAll();
    leaseHints.dropAll();
    leaseOutbox.dropAll();
    return refresh();
  }

  /**
   * Partitions of a queue got messages, which are committed: notifies the brokers with consumers.
   */
  public void messagesAvailable(String queue, List<PartitionRef> partitions) {
    announcer.ifPresent(to -> to.messagesAvailable(queue, partitions));
  }

  /** A group's lease on a partition ended, and there may be something left in it. */
  public void partitionFree(String queue, String partition, UUID partitionId, String group) {
    announcer.ifPresent(
        to -> to.partitionFree(new PartitionFree(queue, partition, partitionId, group)));
  }

  /** This broker has moved a group on a queue: all hints about its leases are dropped. */
  public void groupMoved(String queue, String group) {
    leaseHints.dropGroup(queue, group);
    announcer.ifPresent(to -> to.groupMoved(new GroupMoved(queue, group)));
  }

  /** This broker has created or changed a queue, which has that version now. */
  public void queueChanged(String queue, long version) {
    versions.changedHere(queue, version);
    announcer.ifPresent(to -> to.broadcast(new QueueConfigSet(queue, Optional.empty(), version)));
  }

  /** This broker has deleted a queue, at a version above all of that queue. */
  public void queueDeleted(String queue, long version) {
    deleted(queue, OptionalLong.of(version));
  }

  /**
   * This broker has deleted a queue, it is not known at which version. For a while, others accept
   * no packet that it exists again, and ask the database.
   */
  public void queueDeleted(String queue) {
    deleted(queue, OptionalLong.empty());
  }

  private void deleted(String queue, OptionalLong version) {
    versions.deletedHere(queue, version);
    dropQueue(queue);
    announcer.ifPresent(to -> to.broadcast(new QueueConfigDelete(queue, version)));
  }

  /** This broker has deleted partitions of a queue. */
  public void partitionsDeleted(String queue, List<String> partitions) {
    partitions.forEach(partition -> receiver.dropPartition(queue, partition));
    announcer.ifPresent(to -> to.broadcast(new PartitionDeleted(queue, partitions)));
  }

  /** This broker got a lease. A hint is sent with the next {@link #flush}, if the lease lasts. */
  public void leaseAcquired(String queue, UUID partitionId, String group, Duration lease) {
    if (announcer.isPresent()) {
      leaseHints.granted(partitionId, group);
      leaseOutbox.acquired(queue, partitionId, group, LeaseHints.ttlMillis(lease));
    }
  }

  /**
   * This broker has ended a lease. Another broker may have granted it, because a batch may be acked
   * anywhere: hints about it are dropped here and, with the next {@link #flush}, everywhere.
   */
  public void leaseReleased(String queue, UUID partitionId, String group) {
    if (announcer.isPresent()) {
      leaseHints.released(partitionId, group);
      leaseOutbox.released(queue, partitionId, group);
    }
  }

  /** The store has refused a lease, since there is one already: a hint that said so was right. */
  public void leaseRefused(UUID partitionId, String group) {
    leaseHints.refused(partitionId, group);
  }

  /**
   * Whether another broker seems to lease a partition, so that the others of the same question
   * should be tried before it. No reason to leave it out: PostgreSQL decides.
   */
  public boolean likelyLeasedElsewhere(UUID partitionId, String group) {
    return leaseHints.likelyLeasedElsewhere(partitionId, group);
  }

  /**
   * A poll waits for a queue; the first one is announced. Each has its {@link #waitingEnded}.
   *
   * @return whether it was announced
   */
  public boolean waitingBegan(String queue) {
    return announcer.map(to -> to.waitingBegan(queue)).orElse(false);
  }

  /** A poll waits no more. */
  public void waitingEnded(String queue) {
    announcer.ifPresent(to -> to.waitingEnded(queue));
  }

  /**
   * Maintenance was switched at this broker.
   *
   * @param timestamp when; the later one wins
   */
  public void maintenanceSet(boolean enabled, long timestamp) {
    maintenance.setMaintenance(new Flag(enabled, timestamp));
    announcer.ifPresent(to -> to.broadcast(new MaintenanceSet(enabled, timestamp)));
  }

  /** Maintenance of pops was switched at this broker. */
  public void popMaintenanceSet(boolean enabled, long timestamp) {
    maintenance.setPopMaintenance(new Flag(enabled, timestamp));
    announcer.ifPresent(to -> to.broadcast(new PopMaintenanceSet(enabled, timestamp)));
  }

  /**
   * Announces that this broker stops: others drop our consumers and leases at once. Nothing is sent
   * after that.
   */
  public void stopping() {
    running = false;
    announcer.ifPresent(Announcer::stop);
  }

  /** How well it does. */
  public SharedStateStatistics statistics() {
    return new SharedStateStatistics(
        announcer.isPresent(),
        announcer.isPresent() && running,
        options.serverId(),
        maintenance.maintenance(),
        maintenance.popMaintenance(),
        versions.size(),
        presence.statistics(),
        partitionIds.statistics(),
        leaseHints.statistics(),
        health.statistics(),
        new SharedStateStatistics.Traffic(
            ignored.sum(),
            mishaps.count() + announcer.map(Announcer::failures).orElse(0L),
            listener.failures(),
            refresh.failures(),
            leaseOutbox.untold()));
  }

  private void dropQueue(String queue) {
    partitionIds.dropQueue(queue);
    leaseHints.dropQueue(queue);
    leaseOutbox.dropQueue(queue);
  }

  private final class QueueChanges implements QueueVersions.Changes {
    @Override
    public void changed(String queue) {
      listener.queueChanged(queue);
    }

    @Override
    public void deleted(String queue) {
      dropQueue(queue);
      listener.queueDeleted(queue);
    }
  }

  private final class Fates implements ServerHealth.Listener {
    @Override
    public void died(String server) {
      restarted(server);
      listener.serverDied(server);
    }

    @Override
    public void restarted(String server) {
      presence.drop(server);
      leaseHints.dropServer(server);
    }
  }
}
