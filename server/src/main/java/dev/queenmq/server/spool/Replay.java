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
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what is in the spool in PostgreSQL, on a thread of its own, whenever PostgreSQL is there.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>Messages of one partition are stored in the order of the spool: the next ones are sent only
 *       when those before them are answered.
 *   <li>No message is stored twice, also in a queue without deduplication.
 *   <li>One partition that cannot go on (locked, full, in doubt) does not stop the others.
 *   <li>A message that PostgreSQL rejects for good goes to the dead file, alone. A database that
 *       rejects everything does not empty the spool into the dead file.
 *   <li>A crash at any point loses nothing: an entry is settled only after it was stored, put aside
 *       or written to the dead file.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>The window.</b> The replay takes the oldest thousand entries as a {@link ReplayWindow} and
 * pushes those of each partition together, one part of a partition at a time. When all entries of
 * the window are settled, the spool settles its batch, and the next window begins. While every
 * partition of the window has to wait, the window grows, up to 16,000 entries, to find others that
 * can go on.
 *
 * <p><b>Messages in doubt.</b> An entry that was sent before without a reply first waits until that
 * call has ended, because its reply may still come. Then it is pushed with the time of its first
 * attempt: the store searches for its id and keeps a late first attempt from appending it again.
 *
 * <p><b>Full queues.</b> A queue at its {@code maxSize} gets its messages when it has room. If the
 * largest window consists of such entries, they are put aside: appended to a second spool, which a
 * second replay drains. What follows them in their partition goes there too, to keep the order.
 *
 * <p><b>Rejected messages.</b> If PostgreSQL rejects a part, the next attempt has half as many,
 * until the message that causes it is alone. After {@value #REFUSALS} attempts alone it is given
 * up, but only if anything else was stored since the first rejection ({@link StoreProgress}).
 *
 * <p><b>Slow parts.</b> A part whose call takes too long is tried again, from the second time on
 * with half as many messages, down to one: a part that always takes longer than a statement may
 * would never be stored. Parts grow again with each success.
 *
 * <p><b>Threads.</b> Only the replay's thread touches the window. Answers come on event loops and
 * are passed to it as tasks.
 *
 * <h2>What was tried</h2>
 *
 * <p>Relying on deduplication alone: in a queue without a window, a broker that was cut off stored
 * messages twice. Settling each entry by itself would cost a sync for each. Decision 025.
 */
final class Replay {
  private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
  private static final int BATCH = 1_000;
  private static final long BATCH_BYTES = 4L << 20;

  /** How far a window with blocked partitions grows, to find others that can go on. */
  private static final int LARGEST_WINDOW = 16_000;

  private static final long LARGEST_WINDOW_BYTES = 64L << 20;
  private static final long IDLE_MILLIS = 1_000;
  private static final long PAUSE_MILLIS = 50;

  /** A message that was rejected alone this often is given up, if others were stored meanwhile. */
  private static final int REFUSALS = 3;

  private final Spool spool;
  private final Optional<Spool> aside;
  private final SpoolingBroker front;
  private final Broker store;
  private final DatabaseWatch watch;
  private final BooleanSupplier maintenance;
  private final LongSupplier nanoTime;
  private final Thread thread = new Thread(this::run, "spool-replay");
  // Events for the thread.
  private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder givenUp = new LongAdder();
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
   * @param nanoTime as {@link System#nanoTime} counts
   */
  Replay(
      Spool spool,
      Optional<Spool> aside,
      SpoolingBroker front,
      Broker store,
      DatabaseWatch watch,
      BooleanSupplier maintenance,
      LongSupplier nanoTime) {
    this.spool = spool;
    this.aside = aside;
    this.front = front;
    this.store = store;
    this.watch = watch;
    this.maintenance = maintenance;
    this.nanoTime = nanoTime;
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
  long givenUp() {
    return givenUp.sum();
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
      batch = spool.next(windowSize, bytesOf(windowSize));
      if (batch.isEmpty()) {
        front.lookForQuiet();
        return IDLE_MILLIS;
      }
      window.show(batch.get().entries());
    }
    List<Part> ready = window.ready(BATCH, this::mustWait, nanoTime.getAsLong());
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
      int larger = Math.min(LARGEST_WINDOW, 2 * windowSize);
      // If the disk fails, the window stays as it is, with its batch, and grows in a later round.
      batch = spool.next(larger, bytesOf(larger));
      windowSize = larger;
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
                        LOG.warn(
                            "messages of full queues cannot be put aside: {}", failure.toString());
                        holdUp(part);
                      }
                    }));
  }

  /** Whether its first attempt is still under way: its reply may come. */
  private boolean mustWait(int position) {
    SpoolEntry entry = window.entry(position);
    return entry.perhapsStored() && front.inTheAir().contains(entry.message().id());
  }

  private static long bytesOf(int windowSize) {
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

  /**
   * Messages that may have been sent before are marked: the store finds them, and keeps late
   * attempts out.
   */
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
        giveUp(position, rejected.problem().text());
      } else if (outcome instanceof PushOutcome.KeyMissing) {
        giveUp(position, "its queue is encrypted, and this broker has no key");
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
      window.holdUp(part.partition(), nanoTime.getAsLong());
    }
  }

  private void giveUp(int position, String reason) {
    LOG.warn("{} goes to the dead file of the spool: {}", message(position), reason);
    window.giveUp(position, reason);
    givenUp.increment();
  }

  private void holdUp(Part part) {
    window.answered(part);
    window.holdUp(part.partition(), nanoTime.getAsLong());
  }

  private void failed(Part part, Throwable failure) {
    if (failure instanceof BrokerException refusal
        && refusal.kind() != BrokerException.Kind.INTERNAL) {
      if (refusal.kind() == BrokerException.Kind.UNAVAILABLE) {
        watch.doubt();
        window.answered(part);
        window.slow(part.partition(), part.positions().size(), nanoTime.getAsLong());
      } else {
        holdUp(part);
      }
      return;
    }
    window.answered(part);
    int refusals =
        window.refused(
            part.partition(),
            part.positions().size(),
            nanoTime.getAsLong(),
            () -> front.progress().clear());
    if (refusals >= REFUSALS && front.progress().isSet()) {
      giveUp(part.positions().get(0), "PostgreSQL refused it: " + failure.getMessage());
    }
  }
}
