package dev.queenmq.server.spool;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.spool.ReplayWindow.Part;
import dev.queenmq.server.spool.log.Spool;
import dev.queenmq.server.spool.log.SpoolBatch;
import dev.queenmq.server.spool.log.SpoolEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is in the spool to PostgreSQL, on a thread of its own, whenever PostgreSQL is there.
 *
 * <p>Messages of one partition go in the order of the spool, and the next ones only when those
 * before them are stored. What was sent before without an answer is marked, so that the store finds
 * it and it is not stored twice. What PostgreSQL refuses for good goes to the dead file, alone;
 * what a full queue has no room for is tried until it has, and put aside when others have to wait
 * for it.
 */
final class Replay {
  private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
  private static final int BATCH = 1_000;
  private static final long BATCH_BYTES = 4L << 20;

  /** A window with partitions in trouble grows so far, to find others that can go on. */
  private static final int LARGEST_WINDOW = 16_000;

  private static final long LARGEST_WINDOW_BYTES = 64L << 20;
  private static final long IDLE_MILLIS = 1_000;
  private static final long PAUSE_MILLIS = 50;

  /** One alone that was refused so often is dead, if others were stored meanwhile. */
  private static final int REFUSALS = 3;

  private final Spool spool;
  private final Optional<Spool> aside;
  private final SpoolingBroker front;
  private final Broker store;
  private final DatabaseWatch watch;
  private final BooleanSupplier maintenance;
  private final Thread thread = new Thread(this::run, "spool-replay");
  // What happened, to be looked at by the thread.
  private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder buried = new LongAdder();
  private final ReplayWindow window = new ReplayWindow();
  private Optional<SpoolBatch> batch = Optional.empty();
  private int windowSize = BATCH;
  private volatile boolean stopped;

  /**
   * A replay that does not run yet.
   *
   * @param aside takes what has to wait; empty if this replays it
   * @param front takes pushes
   * @param store brings them to PostgreSQL
   */
  Replay(
      Spool spool,
      Optional<Spool> aside,
      SpoolingBroker front,
      Broker store,
      DatabaseWatch watch,
      BooleanSupplier maintenance) {
    this.spool = spool;
    this.aside = aside;
    this.front = front;
    this.store = store;
    this.watch = watch;
    this.maintenance = maintenance;
    thread.setDaemon(true);
  }

  /** Begins. */
  void start() {
    front.onKept(this::wake);
    watch.onReturn(this::wake);
    thread.start();
  }

  /** Something has changed that it may have waited for. */
  void wake() {
    if (news.isEmpty()) {
      news.add(() -> {});
    }
  }

  /** Ends; blocks until it has. What is under way is found again by the next one. */
  void stop() throws InterruptedException {
    stopped = true;
    // Not by an interrupt, which would close the files under it.
    news.add(() -> {});
    thread.join();
  }

  /** Messages that it has brought to PostgreSQL. */
  long replayed() {
    return replayed.sum();
  }

  /** Messages that it has given up. */
  long buried() {
    return buried.sum();
  }

  private void run() {
    while (!stopped) {
      long pause;
      try {
        pause = round();
      } catch (IOException | RuntimeException e) {
        LOG.error("The spool cannot be replayed now: {}", e.toString(), e);
        pause = IDLE_MILLIS;
      }
      try {
        take(pause);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Does what has come up, waiting for it for a while. */
  private void take(long millis) throws InterruptedException {
    Runnable next = news.poll(millis, TimeUnit.MILLISECONDS);
    while (next != null && !stopped) {
      next.run();
      next = news.poll();
    }
  }

  /** One step; answers for how long to wait for news after it. */
  private long round() throws IOException {
    if (watch.isAway() || maintenance.getAsBoolean()) {
      return IDLE_MILLIS;
    }
    if (batch.isEmpty()) {
      batch = spool.next(windowSize, windowBytes());
      if (batch.isEmpty()) {
        front.lookForQuiet();
        return IDLE_MILLIS;
      }
      window.show(batch.get().entries());
    }
    List<Part> ready = window.ready(BATCH, this::mustWait, System.nanoTime());
    send(ready);
    if (!window.isIdle()) {
      return PAUSE_MILLIS;
    }
    if (window.isSettled()) {
      spool.done(batch.get(), window.dead());
      batch = Optional.empty();
      windowSize = BATCH;
      window.clear();
      front.lookForQuiet();
      return 0;
    }
    if (spool.figures().pending() > window.size()) {
      letOthersPass();
    }
    return PAUSE_MILLIS;
  }

  /** All of the window has to wait: perhaps what follows need not. */
  private void letOthersPass() throws IOException {
    if (windowSize < LARGEST_WINDOW) {
      windowSize = Math.min(LARGEST_WINDOW, 2 * windowSize);
      batch = spool.next(windowSize, windowBytes());
      batch.ifPresent(more -> window.show(more.entries()));
    } else if (aside.isPresent()) {
      window.withoutRoom().forEach(part -> putAside(part, aside.get()));
    }
  }

  /** As if in doubt: should it be given out again here, it will be there twice. */
  private void putAside(Part part, Spool other) {
    window.sends(part);
    other
        .append(part.positions().stream().map(each -> window.entry(each).inDoubt()).toList())
        .whenComplete(
            (done, failure) ->
                news.add(
                    () -> {
                      if (failure == null) {
                        part.positions().forEach(window::settle);
                        window.answered(part);
                      } else {
                        LOG.warn("cannot put aside what has no room: {}", failure.toString());
                        holdUp(part);
                      }
                    }));
  }

  /** Whether its first attempt is still under way: its reply may come. */
  private boolean mustWait(int position) {
    SpoolEntry entry = window.entry(position);
    return entry.perhapsStored() && front.inTheAir().contains(entry.message().id());
  }

  private long windowBytes() {
    return Math.min(LARGEST_WINDOW_BYTES, BATCH_BYTES * (windowSize / BATCH));
  }

  private void send(List<Part> ready) {
    for (Part part : ready) {
      PartitionName partition = part.partition();
      if (aside.isPresent() && aside.get().holds(partition.queue(), partition.partition())) {
        putAside(part, aside.get());
      } else {
        push(part);
      }
    }
  }

  /** What may have been sent before says so: the store finds it, and fences off late attempts. */
  private void push(Part part) {
    List<Message> messages = part.positions().stream().map(this::toSend).toList();
    window.sends(part);
    store
        .push(messages)
        .onComplete(
            answer ->
                news.add(
                    () -> {
                      if (answer.succeeded()) {
                        accept(part, answer.result());
                      } else {
                        failed(part, answer.cause());
                      }
                    }));
  }

  private Message toSend(int position) {
    SpoolEntry entry = window.entry(position);
    return window.isInDoubt(position)
        ? entry.message().sentAt(Instant.ofEpochMilli(entry.acceptedAtMillis()))
        : entry.message();
  }

  private Message message(int position) {
    return window.entry(position).message();
  }

  private void settled(int position) {
    window.settle(position);
    replayed.increment();
    front.progress().set();
  }

  private void accept(Part part, List<PushOutcome> outcomes) {
    window.answered(part);
    boolean complete = true;
    for (int i = 0; i < outcomes.size(); i++) {
      int position = part.positions().get(i);
      PushOutcome outcome = outcomes.get(i);
      if (outcome instanceof PushOutcome.Queued || outcome instanceof PushOutcome.Duplicate) {
        settled(position);
      } else if (outcome instanceof PushOutcome.Rejected rejected) {
        bury(position, rejected.problem().text());
      } else if (outcome instanceof PushOutcome.KeyMissing) {
        bury(position, "its queue is encrypted, and this broker has no key");
      } else {
        complete = false;
        if (outcome instanceof PushOutcome.QueueFull) {
          front.fullQueues().add(part.partition().queue());
          window.noRoom(part.partition());
        }
      }
    }
    if (complete) {
      front.fullQueues().remove(part.partition().queue());
      window.goesOn(part.partition());
    } else {
      window.holdUp(part.partition(), System.nanoTime());
    }
  }

  private void bury(int position, String reason) {
    LOG.warn("{} goes to the dead file of the spool: {}", message(position), reason);
    window.bury(position, reason);
    buried.increment();
  }

  private void holdUp(Part part) {
    window.answered(part);
    window.holdUp(part.partition(), System.nanoTime());
  }

  private void failed(Part part, Throwable failure) {
    if (failure instanceof BrokerException refusal
        && refusal.kind() != BrokerException.Kind.INTERNAL) {
      if (refusal.kind() == BrokerException.Kind.UNAVAILABLE) {
        watch.doubt();
      }
      holdUp(part);
      return;
    }
    window.answered(part);
    int refusals =
        window.refused(
            part.partition(),
            part.positions().size(),
            System.nanoTime(),
            () -> front.progress().clear());
    if (refusals >= REFUSALS && front.progress().isSet()) {
      bury(part.positions().get(0), "PostgreSQL refused it: " + failure.getMessage());
    }
  }
}
