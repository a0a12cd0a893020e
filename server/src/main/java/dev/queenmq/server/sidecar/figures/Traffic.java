package dev.queenmq.server.sidecar.figures;

import dev.queenmq.server.broker.QueueFigure;
import dev.queenmq.server.broker.SidecarFigures.Distribution;
import dev.queenmq.server.broker.TrafficSnapshot;
import dev.queenmq.server.broker.WorkerFigure;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome.OperationResult;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has carried, by queue in the minute that runs, and since the start. Belongs
 * to its event loop, so that counting is adding to a field: no locks, and nothing is made for a
 * message.
 */
public final class Traffic {
  /** The name under which queues are summed up beyond the limit. */
  static final String OTHERS = "(other queues)";

  private static final int TOTALS = WorkerFigure.DB_ERRORS.place() + 1;

  /** Numbers of one queue. */
  private static final class Counts {
    final long[] values = new long[QueueFigure.values().length];

    void add(QueueFigure figure, long count) {
      values[figure.place()] += count;
    }

    void atLeast(QueueFigure figure, long value) {
      values[figure.place()] = Math.max(values[figure.place()], value);
    }
  }

  private final int maxQueues;
  private final DatabaseClock clock;
  private final Map<String, Counts> queues = new HashMap<>();
  private final long[] worker = new long[WorkerFigure.values().length];
  private final long[] totals = new long[TOTALS];
  private final Histogram delivery = new Histogram(Histogram.LATENCIES);
  private final Histogram loopDelay = new Histogram(Histogram.LATENCIES);
  private double loopDelaySum;
  private double loopDelayMax;

  /**
   * Counts nothing yet.
   *
   * @param maxQueues that are counted separately in a minute
   */
  public Traffic(int maxQueues, DatabaseClock clock) {
    this.maxQueues = maxQueues;
    this.clock = clock;
    restart();
  }

  /** A push was answered. The queues of its messages come in runs. */
  public void pushed(List<Message> messages, List<PushOutcome> outcomes) {
    count(WorkerFigure.PUSH_REQUESTS, 1);
    int from = 0;
    while (from < outcomes.size()) {
      String queue = messages.get(from).queue();
      int stored = 0;
      int partitions = 0;
      int to = from;
      while (to < outcomes.size() && messages.get(to).queue().equals(queue)) {
        if (outcomes.get(to) instanceof PushOutcome.Queued queued) {
          stored++;
          partitions += queued.offset() == 0 ? 1 : 0;
        }
        to++;
      }
      Counts counts = of(queue);
      counts.add(QueueFigure.PUSH_REQUESTS, 1);
      stored(counts, stored, partitions);
      from = to;
    }
  }

  private void stored(Counts counts, int messages, int partitions) {
    counts.add(QueueFigure.PUSH_MESSAGES, messages);
    counts.add(QueueFigure.PARTITIONS_CREATED, partitions);
    count(WorkerFigure.PUSH_MESSAGES, messages);
  }

  /** Acks were answered. */
  public void acknowledged(List<Ack> acks, List<AckOutcome> outcomes) {
    count(WorkerFigure.ACK_REQUESTS, 1);
    String queue = "";
    @Nullable Counts counts = null;
    for (int i = 0; i < outcomes.size(); i++) {
      AckOutcome outcome = outcomes.get(i);
      @Nullable String next = queue(outcome);
      if (next != null && (counts == null || !next.equals(queue))) {
        queue = next;
        counts = of(queue);
        counts.add(QueueFigure.ACK_REQUESTS, 1);
      }
      judged(next == null ? null : counts, acks.get(i).status(), outcome);
    }
  }

  private void judged(@Nullable Counts counts, AckStatus status, AckOutcome outcome) {
    boolean done = outcome instanceof AckOutcome.Applied && status == AckStatus.COMPLETED;
    boolean dead = outcome instanceof AckOutcome.Applied applied && applied.deadLettered();
    count(done ? WorkerFigure.ACK_SUCCESS : WorkerFigure.ACK_FAILED, 1);
    count(WorkerFigure.DEAD_LETTERS, dead ? 1 : 0);
    if (counts != null) {
      counts.add(done ? QueueFigure.ACK_SUCCESS : QueueFigure.ACK_FAILED, 1);
      counts.add(QueueFigure.DEAD_LETTERS, dead ? 1 : 0);
    }
  }

  private static @Nullable String queue(AckOutcome outcome) {
    if (outcome instanceof AckOutcome.Applied applied) {
      return applied.queue();
    }
    return outcome instanceof AckOutcome.Failed failed ? failed.queue().orElse(null) : null;
  }

  /** A transaction was committed. */
  public void committed(Transaction transaction, List<OperationResult> results) {
    count(WorkerFigure.TRANSACTIONS, 1);
    Set<String> touched = new HashSet<>();
    for (int i = 0; i < results.size(); i++) {
      Operation operation = transaction.operations().get(i);
      if (results.get(i) instanceof OperationResult.Pushed pushed
          && operation instanceof Operation.Push push) {
        stored(of(push.message().queue()), 1, pushed.queued().offset() == 0 ? 1 : 0);
        touched.add(push.message().queue());
      } else if (results.get(i) instanceof OperationResult.Acknowledged acknowledged
          && operation instanceof Operation.Acknowledge acknowledge) {
        String queue = acknowledged.applied().queue();
        judged(of(queue), acknowledge.ack().status(), acknowledged.applied());
        touched.add(queue);
      }
    }
    touched.forEach(queue -> of(queue).add(QueueFigure.TRANSACTIONS, 1));
  }

  /** A poll got messages. Those of one segment share the moment of their push. */
  public void delivered(String queue, List<PartitionBatch> batches) {
    Counts counts = of(queue);
    counts.add(QueueFigure.POP_REQUESTS, 1);
    count(WorkerFigure.POP_REQUESTS, 1);
    long now = clock.databaseMillis();
    for (PartitionBatch batch : batches) {
      List<StoredMessage> messages = batch.messages();
      counts.add(QueueFigure.POP_MESSAGES, messages.size());
      count(WorkerFigure.POP_MESSAGES, messages.size());
      if (batch.lease().isEmpty()) {
        counts.add(QueueFigure.AUTO_ACKED, messages.size());
      }
      int from = 0;
      while (from < messages.size()) {
        Instant pushed = messages.get(from).createdAt();
        int to = from + 1;
        while (to < messages.size() && messages.get(to).createdAt().equals(pushed)) {
          to++;
        }
        arrived(counts, Math.max(now - pushed.toEpochMilli(), 0), to - from);
        from = to;
      }
    }
  }

  private void arrived(Counts counts, long millis, int messages) {
    counts.add(QueueFigure.LAG_COUNT, messages);
    counts.add(QueueFigure.LAG_SUM_MS, millis * messages);
    counts.atLeast(QueueFigure.LAG_MAX_MS, millis);
    count(WorkerFigure.LAG_COUNT, messages);
    count(WorkerFigure.LAG_SUM_MS, millis * messages);
    atLeast(WorkerFigure.LAG_MAX_MS, millis);
    delivery.add(millis * 1_000, messages);
  }

  /** A poll got nothing. */
  public void nothing(String queue) {
    Counts counts = of(queue);
    counts.add(QueueFigure.POP_REQUESTS, 1);
    counts.add(QueueFigure.POP_EMPTY, 1);
    count(WorkerFigure.POP_REQUESTS, 1);
  }

  /** PostgreSQL was called. */
  public void called() {
    count(WorkerFigure.JOBS_DONE, 1);
  }

  /** PostgreSQL did not carry out a call. */
  public void databaseError() {
    count(WorkerFigure.DB_ERRORS, 1);
  }

  /** The number of polls that wait for a queue. */
  public void parked(String queue, int polls) {
    of(queue).atLeast(QueueFigure.PARKED, polls);
  }

  /** A look at the event loop itself. */
  public void looked(double delayMillis, int freeSlots, int jobs, int slots, int backedOff) {
    count(WorkerFigure.SAMPLES, 1);
    loopDelaySum += delayMillis;
    loopDelayMax = Math.max(loopDelayMax, delayMillis);
    loopDelay.add(Math.round(delayMillis * 1_000));
    count(WorkerFigure.FREE_SLOTS_SUM, freeSlots);
    worker[WorkerFigure.FREE_SLOTS_MIN.place()] =
        Math.min(worker[WorkerFigure.FREE_SLOTS_MIN.place()], freeSlots);
    count(WorkerFigure.JOB_QUEUE_SUM, jobs);
    atLeast(WorkerFigure.JOB_QUEUE_MAX, jobs);
    worker[WorkerFigure.DB_CONNECTIONS.place()] = slots;
    worker[WorkerFigure.BACKOFF_SIZE.place()] = backedOff;
  }

  /** What was counted in this minute; another may begin. */
  public TrafficSnapshot take(int number, boolean minuteIsOver) {
    Map<String, List<Long>> all = new HashMap<>();
    queues.forEach((name, counts) -> all.put(name, list(counts.values)));
    long[] counts = worker.clone();
    if (counts[WorkerFigure.SAMPLES.place()] == 0) {
      counts[WorkerFigure.FREE_SLOTS_MIN.place()] = 0;
    }
    TrafficSnapshot taken =
        new TrafficSnapshot(number, all, list(counts), loopDelaySum, loopDelayMax, list(totals));
    if (minuteIsOver) {
      restart();
    }
    return taken;
  }

  public Distribution delivery() {
    return delivery.distribution();
  }

  public Distribution loopDelay() {
    return loopDelay.distribution();
  }

  private void restart() {
    queues.clear();
    Arrays.fill(worker, 0);
    worker[WorkerFigure.FREE_SLOTS_MIN.place()] = Integer.MAX_VALUE;
    loopDelaySum = 0;
    loopDelayMax = 0;
  }

  private static List<Long> list(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private Counts of(String queue) {
    Counts known = queues.get(queue);
    if (known != null) {
      return known;
    }
    return queues.computeIfAbsent(queues.size() < maxQueues ? queue : OTHERS, name -> new Counts());
  }

  private void count(WorkerFigure figure, long count) {
    worker[figure.place()] += count;
    if (figure.place() < TOTALS) {
      totals[figure.place()] += count;
    }
  }

  private void atLeast(WorkerFigure figure, long value) {
    worker[figure.place()] = Math.max(worker[figure.place()], value);
  }
}
