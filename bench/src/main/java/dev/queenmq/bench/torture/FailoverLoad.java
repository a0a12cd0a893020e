package dev.queenmq.bench.torture;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.AckResult;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Producers and consumers that record every answer, while one server takes over from another. A
 * producer repeats what was not answered, with the same ids, at any broker.
 *
 * <p>Acks are written down with the number of promotions so far: what was acked before a promotion
 * may be delivered again after it, since the ack may be lost with the server. Within one and the
 * same server it may not.
 */
final class FailoverLoad implements AutoCloseable {
  static final String QUEUE = "failover";
  private static final String GROUP = "readers";
  private static final int CREATED = 201;
  private static final int OK = 200;
  private static final int LEASE_SECONDS = 3;
  private static final int MOST_ITEMS = 10;

  /** Longer than any answer may take; a client that waits longer hangs. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String POP =
      "consumerGroup=%s&batch=20&wait=true&timeout=2000".formatted(GROUP);
  private static final String FAILED = "failed";

  private final List<BlockingClient> brokers;
  private final int lanes;
  private final Duration pause;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> delivered = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> ackedIn = new ConcurrentHashMap<>();
  private final List<String> wrongs = new CopyOnWriteArrayList<>();
  private final List<Thread> producers = new ArrayList<>();
  private final List<Thread> consumers = new ArrayList<>();
  private final AtomicInteger promotions = new AtomicInteger();
  private volatile boolean producing = true;
  private volatile boolean consuming = true;

  /** Nothing runs yet. */
  FailoverLoad(List<BrokerUrl> urls, TortureSettings settings) {
    brokers = urls.stream().map(url -> new BlockingClient(url, LIMIT)).toList();
    lanes = settings.lanes();
    double rate = settings.rate() > 0 ? settings.rate() : 300;
    pause = Duration.ofNanos((long) (1e9 * settings.producers() * (1 + MOST_ITEMS) / 2 / rate));
    IntStream.range(0, settings.producers())
        .forEach(i -> producers.add(thread("producer-" + i, () -> produce(i, settings.seed()))));
    IntStream.range(0, settings.consumers())
        .forEach(i -> consumers.add(thread("consumer-" + i, () -> consume(i))));
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    JsonObject options =
        new JsonObject().put("leaseTime", LEASE_SECONDS).put("retryLimit", 1_000_000);
    Optional<Reply> configured =
        brokers
            .get(0)
            .post(
                "/api/v1/configure",
                new JsonObject().put("queue", QUEUE).put("options", options).toBuffer());
    if (configured.filter(reply -> reply.status() < 300).isEmpty()) {
      throw new IllegalStateException("the queue cannot be configured: " + configured);
    }
    producers.forEach(Thread::start);
    consumers.forEach(Thread::start);
  }

  /** The server is gone: what it has acked may be lost. */
  void serverGone() {
    promotions.incrementAndGet();
  }

  /** Ends the producers; each has an answer to all that it pushed. */
  void stopProducing() {
    producing = false;
    Blocking.join(producers);
  }

  /** Ends all of them. */
  void stop() {
    stopProducing();
    consuming = false;
    Blocking.join(consumers);
  }

  @Override
  public void close() {
    stop();
  }

  /** What brokers have said to be stored. */
  Set<String> acknowledged() {
    return acknowledged;
  }

  Set<String> delivered() {
    return delivered;
  }

  long acks() {
    return ackedIn.size();
  }

  List<String> wrongs() {
    return wrongs;
  }

  private void produce(int number, long seed) {
    Random random = new Random(seed * 31 + number);
    int sequence = 0;
    while (producing) {
      String lane = "lane-" + random.nextInt(lanes);
      List<String> ids = new ArrayList<>();
      for (int i = 1 + random.nextInt(MOST_ITEMS); i > 0; i--) {
        ids.add("m-%d-%d".formatted(number, sequence++));
      }
      int broker = random.nextInt(brokers.size());
      while (!pushed(brokers.get(broker), lane, ids)) {
        Blocking.sleep(Duration.ofMillis(50));
        broker = (broker + 1) % brokers.size();
      }
      Blocking.sleep(pause);
    }
  }

  private boolean pushed(BlockingClient broker, String lane, List<String> ids) {
    Bodies body = Bodies.push();
    ids.forEach(id -> body.item(QUEUE, lane, id, PopMessage.payload(1)));
    long began = System.nanoTime();
    Optional<Reply> reply = broker.post(BrokerClient.PUSH, body.finish());
    hangs("a push", began);
    if (reply.filter(answer -> answer.status() == CREATED).isEmpty()) {
      return false;
    }
    List<PushResult> results = Answers.push(reply.get());
    boolean all = true;
    for (int i = 0; i < ids.size(); i++) {
      if (results.get(i).status().equals(FAILED)) {
        all = false;
      } else {
        acknowledged.add(ids.get(i));
      }
    }
    return all;
  }

  private void hangs(String what, long began) {
    if (System.nanoTime() - began >= LIMIT.toNanos()) {
      wrongs.add(what + " had no answer within " + LIMIT);
    }
  }

  private void consume(int number) {
    int broker = number % brokers.size();
    while (consuming) {
      int before = promotions.get();
      long began = System.nanoTime();
      Optional<Reply> reply = brokers.get(broker).pop(QUEUE, POP);
      hangs("a pop", began);
      if (reply.filter(answer -> answer.status() == OK).isPresent()) {
        take(brokers.get(broker), Answers.pop(reply.get()), before);
      } else if (reply.filter(answer -> answer.status() < 300).isEmpty()) {
        Blocking.sleep(Duration.ofMillis(100));
        broker = (broker + 1) % brokers.size();
      }
    }
  }

  private void take(BlockingClient broker, List<PopMessage> messages, int before) {
    for (PopMessage message : messages) {
      delivered.add(message.transactionId());
      Integer acked = ackedIn.get(message.transactionId());
      // Neither the ack nor this delivery were near the end of a server.
      if (acked != null && acked == before && before == promotions.get()) {
        wrongs.add(message.transactionId() + " was acked and came again");
      }
    }
    long began = System.nanoTime();
    Optional<Reply> reply =
        broker.post(BrokerClient.ACK_BATCH, Bodies.acks(GROUP, messages).finish());
    hangs("an ack", began);
    if (reply.filter(answer -> answer.status() < 300).isEmpty() || before != promotions.get()) {
      return;
    }
    List<AckResult> results = Answers.ack(reply.get());
    for (int i = 0; i < messages.size(); i++) {
      if (results.get(i).success()) {
        ackedIn.put(messages.get(i).transactionId(), before);
      }
    }
  }
}
