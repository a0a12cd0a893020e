package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.HeldBatch;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.client.LeaseLostException;
import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.Transaction;
import dev.queenmq.client.UnavailableException;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of the Java client. Its handlers work for a while, now and then for longer than a
 * lease, and fail in the middle of a batch; the consumer itself is stopped and started again. All
 * that handlers do is written down on the event loop, with the moment at which they did it.
 *
 * <p>What a handler has acked may be done from that moment on; when the broker has said so, it is.
 * A message that no handler got through with must come again.
 *
 * <p>One that copies answers in transactions only, as {@link Consumer} does.
 */
// Callbacks see every outcome; the futures that they return say nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class HandlerConsumer extends Actor {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final int CONCURRENCY = 4;
  private static final int BATCH = 30;
  private static final int LONGEST_WORK = 15;

  private final ClientFront front;
  private final int group;
  private final boolean copies;
  private final ClientBehaviour.Chances chances;
  private final QueenClient client;
  private final QueueRef queue;
  private final QueueRef copiesTo;

  /** Handlers use it too, so it is safe for several threads. */
  private final Random random;

  private @Nullable QueenConsumer consumer;

  HandlerConsumer(AuditContext audit, ClientFront front, int group, boolean copies, Random random) {
    super(audit, front, AuditContext.Phase.DRAIN);
    this.front = front;
    this.group = group;
    this.copies = copies;
    this.random = random;
    chances = settings().behaviour().chances();
    client = front.newQueenClient();
    QueueRef all = client.queue(audit.names().queue());
    queue = group == 0 ? all : all.group(Names.group(group));
    copiesTo = client.queue(audit.names().copies());
  }

  @Override
  Future<Void> step() {
    QueenConsumer running = consumer;
    if (running == null) {
      consumer = start();
      return pause(POLL_INTERVAL);
    }
    if (!running.isRunning()) {
      violation(Violation.UNEXPECTED, "a consumer has stopped by itself");
    }
    if (audit().isRunning() && chance(chances.restless())) {
      front.restarted();
      return stop(running);
    }
    return pause(POLL_INTERVAL);
  }

  private QueenConsumer start() {
    Duration lease = settings().lease();
    return queue
        .consumer(byte[].class)
        .concurrency(CONCURRENCY)
        .batch(BATCH)
        .partitionsPerPop(CONCURRENCY)
        .longPoll(lease)
        .backOff(Duration.ofMillis(20), Duration.ofMillis(500))
        .startBatches(copies ? this::copy : this::handle);
  }

  private Future<Void> stop(QueenConsumer running) {
    consumer = null;
    return Future.fromCompletionStage(
            CompletableFuture.supplyAsync(() -> running.stop(STOP_LIMIT)), audit().loop().context())
        .map(
            finished -> {
              if (!finished) {
                violation(Violation.UNEXPECTED, "a consumer did not stop in " + STOP_LIMIT);
              }
              return null;
            });
  }

  @Override
  Future<Void> close() {
    QueenConsumer running = consumer;
    Future<Void> stopped = running == null ? Future.succeededFuture() : stop(running);
    return stopped.eventually(
        () ->
            Future.fromCompletionStage(
                CompletableFuture.runAsync(client::close), audit().loop().context()));
  }

  private boolean chance(int perMille) {
    return random.nextInt(1000) < perMille;
  }

  // On threads of handlers

  private void handle(List<Message<byte[]>> messages) throws InterruptedException {
    Handed handed = new Handed(messages);
    boolean misbehaving = audit().isRunning();
    int bad = misbehaving && chance(chances.mixed()) ? random.nextInt(messages.size()) : -1;
    work(misbehaving);
    for (int i = 0; i < messages.size(); i++) {
      if (i == bad && random.nextInt(4) == 0) {
        handed.settled(i, messages.get(i).deadLetterAsync("meant to die"), true);
      } else if (i == bad) {
        handed.failed();
        throw new IllegalStateException("meant to fail");
      } else {
        handed.settled(i, messages.get(i).ackAsync(), false);
      }
    }
  }

  private void work(boolean misbehaving) throws InterruptedException {
    // The client has to extend the lease for the longest.
    Thread.sleep(
        misbehaving && chance(chances.late())
            ? settings().lease().toMillis() * 3 / 2
            : random.nextInt(LONGEST_WORK));
  }

  private void copy(List<Message<byte[]>> messages) throws InterruptedException {
    Handed handed = new Handed(messages);
    boolean misbehaving = audit().isRunning();
    work(misbehaving);
    if (misbehaving && chance(chances.mixed())) {
      handed.failed();
      throw new IllegalStateException("meant to fail");
    }
    Transaction transaction = client.transaction();
    for (Message<byte[]> message : messages) {
      transaction
          .ack(message)
          .push(
              copiesTo.partition(message.partition()),
              OutgoingMessage.of(message.rawPayload()).withTransactionId(message.transactionId()));
    }
    handed.committing();
    try {
      transaction.commit();
      handed.committed();
    } catch (LeaseLostException e) {
      handed.lost();
      throw e;
    } catch (UnavailableException e) {
      handed.unknown();
      throw e;
    } catch (RejectedException e) {
      // Copied before: then it is acked before, too, and this batch is of the past.
      handed.rejected(e);
    }
  }

  /** What one handler was given. Made on its thread; all else happens on the event loop. */
  private final class Handed {
    private final List<@Nullable AuditedMessage> messages = new ArrayList<>();
    private @Nullable HeldBatch batch;
    private boolean wasSettled;

    /** When the transaction was sent; for the handler's thread. */
    private long sent;

    Handed(List<Message<byte[]>> given) {
      long now = System.nanoTime();
      Message<byte[]> first = given.get(0);
      Instant expires = first.leaseExpiresAt().orElseThrow();
      long granted =
          now + Duration.between(Instant.now(), expires.minus(settings().lease())).toNanos();
      later(() -> received(given, now, granted));
    }

    private void received(List<Message<byte[]>> given, long now, long granted) {
      Message<byte[]> first = given.get(0);
      List<AuditedMessage> known = new ArrayList<>();
      for (Message<byte[]> message : given) {
        AuditedMessage found =
            ledger()
                .find(
                    message.transactionId(),
                    message.partition(),
                    message.id(),
                    number(message.rawPayload()))
                .orElse(null);
        messages.add(found);
        if (found != null) {
          known.add(found);
        }
      }
      front.handled();
      ledger().add(Count.DELIVERED, known.size());
      if (!known.isEmpty()) {
        HeldBatch held =
            new HeldBatch(
                first.lease().orElseThrow(),
                first.partitionId(),
                known.get(0).partition(),
                group,
                known,
                granted,
                now,
                OptionalLong.of(granted),
                settings().lease());
        batch = held;
        ledger().delivered(held);
      }
    }

    /** The handler has acked one, or made it a dead letter. */
    void settled(int index, CompletableFuture<Void> settled, boolean dead) {
      long now = System.nanoTime();
      later(
          () -> {
            AuditedMessage message = messages.get(index);
            HeldBatch held = batch;
            if (message != null && held != null) {
              message.forGroup(group).perhapsDone(now);
              held.answering(message, now);
            }
          });
      settled.whenComplete(
          (done, failure) ->
              later(
                  () -> {
                    if (failure == null) {
                      done(index, now, dead);
                    } else {
                      ledger().add(Count.LOST_LEASES);
                    }
                  }));
    }

    private void done(int index, long sent, boolean dead) {
      AuditedMessage message = messages.get(index);
      HeldBatch held = batch;
      if (message == null || held == null) {
        return;
      }
      if (dead) {
        message.forGroup(group).promiseDeadLetter();
      }
      ledger().cursor(held.partition(), group).done(message, held, sent);
      ledger().add(dead ? Count.DEAD : Count.ACKED);
    }

    /** The handler gives up. */
    void failed() {
      long now = System.nanoTime();
      later(
          () -> {
            ledger().add(Count.FAILED);
            releasing(now);
          });
    }

    private void releasing(long now) {
      HeldBatch held = batch;
      if (held != null) {
        held.releasing(now);
      }
    }

    /** The transaction may happen from now on. */
    void committing() {
      long now = System.nanoTime();
      sent = now;
      later(
          () -> {
            releasing(now);
            for (AuditedMessage message : messages) {
              if (message != null) {
                wasSettled |= message.forGroup(group).isSettled();
                message.forGroup(group).perhapsDone(now);
              }
            }
          });
    }

    void committed() {
      long when = sent;
      later(
          () -> {
            ledger().add(Count.TRANSACTIONS);
            for (int i = 0; i < messages.size(); i++) {
              done(i, when, false);
            }
          });
    }

    void lost() {
      later(
          () -> {
            ledger().add(Count.TRANSACTIONS_BACK);
            ledger().add(Count.LOST_LEASES);
          });
    }

    void unknown() {
      later(() -> ledger().add(Count.CALLS_FAILED));
    }

    void rejected(RejectedException why) {
      later(
          () -> {
            ledger().add(Count.TRANSACTIONS_BACK);
            if (!wasSettled) {
              violation(Violation.HALF_TRANSACTION, why.getMessage() + ": " + messages);
            }
          });
    }

    private void later(Runnable task) {
      audit().loop().context().runOnContext(go -> task.run());
    }
  }

  /** The number in a payload of ours, -1 if it is none. */
  private static long number(byte[] payload) {
    long number = 0;
    boolean found = false;
    for (byte each : payload) {
      if (each >= '0' && each <= '9') {
        number = number * 10 + (each - '0');
        found = true;
      }
    }
    return found ? number : -1;
  }
}
