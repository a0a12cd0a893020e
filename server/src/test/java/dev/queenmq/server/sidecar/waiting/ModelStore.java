package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.SkippedPartition.Reason;
import dev.queenmq.server.model.polling.ReadyPartition;
import dev.queenmq.server.model.polling.ReconcilePage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * As much of PostgreSQL as a waiting room gets to see: partitions with a number of messages, and
 * for each group how far it is and what is in its way. It also knows since when each partition has
 * been free for a group, which is what the room is measured by.
 */
final class ModelStore {
  static final long NEVER = Long.MAX_VALUE;
  private static final double BUSY = 0.02;

  /** A partition. */
  static final class Partition {
    final String queue;
    final String name;
    final UUID id;
    long messages;
    final Map<String, Cursor> cursors = new HashMap<>();

    Partition(String queue, String name, UUID id) {
      this.queue = queue;
      this.name = name;
      this.id = id;
    }
  }

  /** How far a group is in a partition. */
  static final class Cursor {
    long committed;
    @Nullable UUID lease;
    long leasedUntil;
    long leasedTo;
    long notBefore;

    /** Since when a pop would have got something; never: it would not. */
    long freeSince = NEVER;
  }

  /** Something that brokers find in the tail. */
  record TailRow(int broker, Optional<Partition> partition, String queue, String group) {}

  final List<Partition> partitions = new ArrayList<>();
  final List<TailRow> tail = new ArrayList<>();
  final Map<String, Boolean> paused = new HashMap<>();
  private final Random random;
  private final List<String> groups;
  private final long leaseMillis;
  private long ids = 1;

  ModelStore(Random random, List<String> queues, int perQueue, List<String> groups, long lease) {
    this.random = random;
    this.groups = groups;
    this.leaseMillis = lease;
    for (String queue : queues) {
      for (int i = 0; i < perQueue; i++) {
        Partition partition = new Partition(queue, "p" + i, new UUID(7, ids++));
        groups.forEach(group -> partition.cursors.put(group, new Cursor()));
        partitions.add(partition);
      }
    }
  }

  /** Whether a pop would get something now, and since when. */
  void observe(long now) {
    for (Partition each : partitions) {
      for (String group : groups) {
        Cursor cursor = cursor(each, group);
        boolean free = obstacle(each, cursor, now).isEmpty();
        if (!free) {
          cursor.freeSince = NEVER;
        } else if (cursor.freeSince == NEVER) {
          cursor.freeSince = now;
        }
      }
    }
  }

  Cursor cursor(Partition partition, String group) {
    return partition.cursors.computeIfAbsent(group, name -> new Cursor());
  }

  private Optional<SkippedPartition> obstacle(Partition partition, Cursor cursor, long now) {
    Optional<UUID> id = Optional.of(partition.id);
    if (paused.getOrDefault(partition.queue, false)) {
      return Optional.of(new SkippedPartition(id, Reason.STOPPED, Optional.empty()));
    }
    if (cursor.lease != null && cursor.leasedUntil > now) {
      return Optional.of(new SkippedPartition(id, Reason.LEASED, instant(cursor.leasedUntil)));
    }
    if (cursor.committed >= partition.messages) {
      return Optional.of(new SkippedPartition(id, Reason.EMPTY, Optional.empty()));
    }
    if (cursor.notBefore > now) {
      return Optional.of(new SkippedPartition(id, Reason.PAUSED, instant(cursor.notBefore)));
    }
    return Optional.empty();
  }

  private static Optional<Instant> instant(long millis) {
    return Optional.of(Instant.ofEpochMilli(millis));
  }

  List<PopOutcome> pop(List<PopRequest> requests, long now) {
    List<PopOutcome> outcomes = new ArrayList<>();
    for (PopRequest request : requests) {
      outcomes.add(pop(request, now));
    }
    observe(now);
    return outcomes;
  }

  private PopOutcome pop(PopRequest request, long now) {
    List<Partition> wanted = new ArrayList<>();
    List<SkippedPartition> passed = new ArrayList<>();
    boolean named = request.target() instanceof PopTarget.Named;
    if (request.target() instanceof PopTarget.Named name) {
      partitions.stream()
          .filter(p -> p.queue.equals(name.queue()) && p.name.equals(name.partition()))
          .forEach(wanted::add);
      if (wanted.isEmpty()) {
        passed.add(new SkippedPartition(Optional.empty(), Reason.MISSING, Optional.empty()));
      }
    } else if (request.target() instanceof PopTarget.Candidates some) {
      for (UUID id : some.partitionIds()) {
        Optional<Partition> found = partitions.stream().filter(p -> p.id.equals(id)).findFirst();
        found.ifPresentOrElse(
            wanted::add,
            () ->
                passed.add(
                    new SkippedPartition(Optional.of(id), Reason.MISSING, Optional.empty())));
      }
    }
    List<PartitionBatch> batches = new ArrayList<>();
    UUID lease = new UUID(9, ids++);
    for (Partition each : wanted) {
      if (batches.size() == request.maxPartitions()) {
        break;
      }
      Cursor cursor = cursor(each, request.group());
      Optional<SkippedPartition> obstacle = obstacle(each, cursor, now);
      if (obstacle.isEmpty() && !named && random.nextDouble() < BUSY) {
        obstacle =
            Optional.of(new SkippedPartition(Optional.of(each.id), Reason.BUSY, Optional.empty()));
      }
      if (obstacle.isPresent()) {
        passed.add(obstacle.get());
        continue;
      }
      long to = Math.min(each.messages, cursor.committed + request.batch());
      long backlog = each.messages - to;
      if (request.autoAck()) {
        cursor.committed = to;
        batches.add(batch(each, Optional.empty(), backlog));
      } else {
        cursor.lease = lease;
        cursor.leasedUntil = now + leaseMillis;
        cursor.leasedTo = to;
        batches.add(
            batch(
                each,
                Optional.of(new Lease(lease, Instant.ofEpochMilli(cursor.leasedUntil))),
                backlog));
      }
      // Others of the same call must see it taken.
      cursor.freeSince = NEVER;
    }
    return new PopOutcome.Served(batches, passed);
  }

  private static PartitionBatch batch(Partition of, Optional<Lease> lease, long backlog) {
    return new PartitionBatch(of.queue, of.name, of.id, lease, backlog, List.of());
  }

  ReconcilePage page(String queue, String group, Optional<String> after, int size, long now) {
    List<Partition> page =
        partitions.stream()
            .filter(p -> p.queue.equals(queue))
            .filter(p -> after.isEmpty() || p.name.compareTo(after.get()) > 0)
            .sorted((a, b) -> a.name.compareTo(b.name))
            .limit(size)
            .toList();
    List<ReadyPartition> ready = new ArrayList<>();
    for (Partition each : page) {
      Cursor cursor = cursor(each, group);
      if (cursor.committed < each.messages) {
        long free = Math.max(cursor.lease == null ? 0 : cursor.leasedUntil, cursor.notBefore);
        ready.add(
            new ReadyPartition(
                each.id,
                each.messages - cursor.committed,
                Optional.empty(),
                free > now ? instant(free) : Optional.empty()));
      }
    }
    return new ReconcilePage(
        ready, page.size() == size ? Optional.of(page.get(size - 1).name) : Optional.empty());
  }

  void push(Partition partition, int broker, long now) {
    push(partition, broker, Optional.empty(), now);
  }

  /**
   * A push of one message, which a poll may get by the same commit.
   *
   * @return what the poll got
   */
  Optional<PopOutcome.Served> push(
      Partition partition, int broker, Optional<PopRequest> poll, long now) {
    Optional<PopOutcome.Served> served = poll.flatMap(one -> handOver(partition, one, now));
    partition.messages++;
    tail.add(new TailRow(broker, Optional.of(partition), partition.queue, ""));
    observe(now);
    return served;
  }

  private Optional<PopOutcome.Served> handOver(Partition partition, PopRequest poll, long now) {
    Cursor cursor = cursor(partition, poll.group());
    if (paused.getOrDefault(partition.queue, false)
        || cursor.committed != partition.messages
        || cursor.lease != null
        || cursor.notBefore > now
        || random.nextDouble() < BUSY) {
      return Optional.empty();
    }
    cursor.lease = new UUID(9, ids++);
    cursor.leasedUntil = now + leaseMillis;
    cursor.leasedTo = partition.messages + 1;
    Lease lease = new Lease(cursor.lease, Instant.ofEpochMilli(cursor.leasedUntil));
    return Optional.of(
        new PopOutcome.Served(List.of(batch(partition, Optional.of(lease), 0)), List.of()));
  }

  /**
   * An ack.
   *
   * @return whether the lease was still good
   */
  boolean ack(Partition partition, String group, UUID lease, boolean done, long delay, long now) {
    Cursor cursor = cursor(partition, group);
    if (!lease.equals(cursor.lease) || cursor.leasedUntil <= now) {
      return false;
    }
    if (done) {
      cursor.committed = cursor.leasedTo;
    } else {
      cursor.notBefore = now + delay;
    }
    cursor.lease = null;
    observe(now);
    return true;
  }

  void seek(String queue, String group, int broker, long now) {
    for (Partition each : partitions) {
      if (each.queue.equals(queue)) {
        Cursor cursor = cursor(each, group);
        cursor.committed = each.messages == 0 ? 0 : random.nextLong(each.messages + 1);
        cursor.lease = null;
        cursor.notBefore = 0;
      }
    }
    tail.add(new TailRow(broker, Optional.empty(), queue, group));
    observe(now);
  }

  void pause(String queue, boolean on, long now) {
    paused.put(queue, on);
    observe(now);
  }
}
