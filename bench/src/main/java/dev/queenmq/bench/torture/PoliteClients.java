package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Clients of each broker that ask for little and wait when an answer asks for it: what they feel is
 * what hostile clients take from others. Each of them pushes a message to a queue of its own, pops
 * it and acknowledges it, a few times a second, whatever that took the last time. A call that is
 * refused or fails is repeated, after the time that the answer names, and the cycle takes longer by
 * that. A cycle is measured from the moment at which it was due; one that came due while the client
 * still waited for the one before ends with that. Each client has a thread of its own.
 */
final class PoliteClients implements AutoCloseable {
  /** Of each broker; with the interval this makes 20 cycles a second. */
  private static final int CLIENTS = 4;

  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * When a broker is killed, the reply to a pop may be lost. Its message comes again after the
   * lease; with the default of five minutes, that wait would count for a fault that comes later.
   */
  private static final JsonObject OPTIONS =
      new JsonObject().put("leaseTime", LIMIT.toSeconds()).put("retryLimit", 1_000_000);

  private static final int OK = 200;

  private final PoliteLatencies latencies;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  /** Sends nothing before {@link #start}. */
  PoliteClients(Map<String, BrokerUrl> brokers, PoliteLatencies latencies) {
    this.latencies = latencies;
    brokers.forEach(
        (name, url) -> {
          BlockingClient client = new BlockingClient(url, LIMIT);
          for (int i = 0; i < CLIENTS; i++) {
            String queue = "polite-" + name + "-" + i;
            long after = INTERVAL.toNanos() * i / CLIENTS;
            threads.add(new Thread(() -> run(name, client, queue, after), queue));
          }
        });
    threads.forEach(thread -> thread.setDaemon(true));
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(String broker, BlockingClient client, String queue, long after) {
    JsonObject configuration = new JsonObject().put("queue", queue).put("options", OPTIONS);
    until(() -> client.post("/api/v1/configure", configuration.toBuffer()), Reply::isSuccess);
    long first = System.nanoTime() + after;
    long due = first;
    for (long number = 0; !over; number++) {
      Blocking.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      cycle(client, queue, queue + "-" + first + "-" + number);
      long done = System.nanoTime();
      // Those that came due in the meantime waited as well, and are not made up for: otherwise a
      // stall would be felt long after it.
      do {
        if (!over) {
          latencies.add(broker, due, done);
        }
        due += INTERVAL.toNanos();
      } while (due - done < 0);
    }
  }

  private void cycle(BlockingClient client, String queue, String id) {
    until(() -> client.push(queue, id), BlockingClient::isStored);
    boolean done = false;
    while (!done && !over) {
      Optional<PopMessage> got =
          until(
                  () -> client.pop(queue, "wait=true&timeout=5000&batch=1"),
                  answer -> answer.status() == OK)
              .flatMap(BlockingClient::last);
      if (got.isPresent()) {
        until(() -> client.ack(got.get(), ""), Reply::isSuccess);
        // One whose ack came too late comes first.
        done = got.get().transactionId().equals(id);
      }
    }
  }

  /** Repeats a call until its answer is the right one; empty if all is over before. */
  private Optional<Reply> until(Supplier<Optional<Reply>> call, Predicate<Reply> right) {
    while (!over) {
      Optional<Reply> answer = call.get();
      if (answer.filter(right).isPresent()) {
        return answer;
      }
      latencies.refused();
      Blocking.sleep(answer.map(PoliteClients::rest).orElse(PAUSE));
    }
    return Optional.empty();
  }

  private static Duration rest(Reply answer) {
    return answer.retryAfter().matches("\\d{1,2}")
        ? Duration.ofSeconds(Long.parseLong(answer.retryAfter()))
        : PAUSE;
  }

  @Override
  public void close() {
    over = true;
    // One that was never started has ended.
    Blocking.join(threads);
  }
}
