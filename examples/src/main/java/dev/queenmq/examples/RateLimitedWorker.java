package dev.queenmq.examples;

import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A worker that calls a service with a limit of calls in a second, shared by all handlers. Handlers
 * wait for their turn; the client extends their leases meanwhile, and takes no more messages than
 * it has handlers and batches for. What the service refuses all the same is tried again: {@code
 * retry} does not count as a failure, so that nothing becomes a dead letter by it.
 */
public final class RateLimitedWorker implements Example {
  static final int MESSAGES = 20;

  /** The time between two calls. */
  static final Duration INTERVAL = Duration.ofMillis(20);

  private static final int LANES = 5;
  private static final int REFUSED_EVERY = 8;

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Example.main(new RateLimitedWorker(), arguments);
  }

  @Override
  public void run(QueenClient client, Consumer<String> out) throws InterruptedException {
    Pace pace = new Pace(INTERVAL);
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(MESSAGES);

    client
        .queue("mails")
        .pushAll(
            IntStream.range(0, MESSAGES)
                .mapToObj(
                    number ->
                        OutgoingMessage.of("mail " + number)
                            .withPartition("sender-" + number % LANES))
                .toList());

    try (QueenConsumer worker =
        client
            .queue("mails")
            .consumer(String.class)
            .concurrency(LANES)
            .batch(4)
            .start(
                message -> {
                  pace.await();
                  int call = calls.incrementAndGet();
                  if (call % REFUSED_EVERY == 0) {
                    out.accept("call " + call + ": 429 too many requests");
                    message.retry();
                    return;
                  }
                  out.accept("call " + call + ": " + message.payload());
                  done.countDown();
                })) {
      done.await();
      out.accept("running: " + worker.isRunning());
    }
  }

  /** Lets one caller through in each interval; the others wait in turn. */
  static final class Pace {
    private final long interval;
    private long next = System.nanoTime();

    Pace(Duration interval) {
      this.interval = interval.toNanos();
    }

    void await() throws InterruptedException {
      long turn;
      synchronized (this) {
        turn = Math.max(next, System.nanoTime());
        next = turn + interval;
      }
      long left = turn - System.nanoTime();
      while (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
        left = turn - System.nanoTime();
      }
    }
  }
}
