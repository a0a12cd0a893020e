package dev.queenmq.server.sidecar;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One client that wants everything, beside one that wants little. */
@ExtendWith(PostgresExtension.class)
class FairnessIT {
  private static final int GIANT_REQUESTS = 48;
  private static final int GIANT_MESSAGES = 1000;
  private static final Duration REFUSED = Duration.ofMillis(100);
  private static final int SMALL_PUSHES = 40;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong count = new AtomicLong();
  private final Queue<Long> giantNanos = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  @Test
  void smallPushes_doNotWaitForAllThatAGiantHasPiledUp(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      broker.push("q", "small", "first");
      List<Long> smallNanos = new ArrayList<>();
      try {
        for (int i = 0; i < GIANT_REQUESTS; i++) {
          open.incrementAndGet();
          pushAndAgain(broker, "giant-" + i);
        }
        while (smallNanos.size() < SMALL_PUSHES || giantNanos.size() < 2 * GIANT_REQUESTS) {
          long asked = System.nanoTime();
          broker.push("q", "small", "s" + smallNanos.size());
          smallNanos.add(System.nanoTime() - asked);
        }
      } finally {
        over = true;
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> open.get() == 0);
      }
      long small = median(smallNanos);
      long giant = median(List.copyOf(giantNanos));
      System.out.printf(
          "giant client: its requests take %d ms, those of a small one %d ms (medians)%n",
          giant / 1_000_000, small / 1_000_000);

      // In one line both would take the same time.
      assertThat(small).isLessThan(giant / 2);
    }
  }

  /** Like requests of many clients that the event loop reads one after the other. */
  @Test
  void requestsThatArriveTogether_goInOneCall(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      broker.push("q", "p", "first");
      List<Long> calls = new ArrayList<>();
      for (Context loop : broker.loops()) {
        long before = broker.calls("push");
        Promise<Void> done = Promise.promise();
        loop.runOnContext(
            go ->
                Future.all(
                        IntStream.range(0, 20)
                            .mapToObj(i -> broker.message("q", "p", calls.size() + "-" + i))
                            .map(message -> broker.broker().push(List.of(message)))
                            .toList())
                    .<Void>mapEmpty()
                    .onComplete(done));
        await(done.future());
        calls.add(broker.calls("push") - before);
      }

      // One of the two event loops owns the queue; from the other one requests come one by one.
      assertThat(calls).contains(1L);
    }
  }

  private void pushAndAgain(LocalBroker broker, String partition) {
    if (over) {
      open.decrementAndGet();
      return;
    }
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < GIANT_MESSAGES; i++) {
      messages.add(broker.message("q", partition, "g" + count.incrementAndGet()));
    }
    long asked = System.nanoTime();
    broker
        .broker()
        .push(messages)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                giantNanos.add(System.nanoTime() - asked);
              }
              elsewhere(() -> pushAndAgain(broker, partition), done.failed());
            });
  }

  /**
   * Off the event loop that answers, so that it answers the others as well. Who is refused comes
   * again after a while: in the same process nothing else would keep it from asking all the time.
   */
  private static void elsewhere(Runnable work, boolean refused) {
    Thread thread =
        new Thread(
            () -> {
              if (refused) {
                LockSupport.parkNanos(REFUSED.toNanos());
              }
              work.run();
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static long median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
  }
}
