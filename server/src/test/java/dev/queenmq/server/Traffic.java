package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Producers and consumers of one queue that keep account of every answer. Each producer has a
 * partition of its own, numbers its messages, and repeats a push until it is answered with 201.
 */
final class Traffic implements AutoCloseable {
  private static final Duration BETWEEN = Duration.ofMillis(2);
  private static final String POP = "consumerGroup=live&batch=50&wait=true&timeout=1000";

  private final RunningServer server;
  private final String queue;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, List<String>> stored = new ConcurrentHashMap<>();
  private final Map<String, List<String>> seen = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicLong pushes = new AtomicLong();
  private volatile boolean producing = true;
  private volatile boolean consuming = true;

  Traffic(RunningServer server, String queue) {
    this.server = server;
    this.queue = queue;
  }

  /** Starts so many of each. */
  Traffic start(int producers, int consumers) {
    for (int i = 0; i < producers; i++) {
      String partition = "p" + i;
      threads.execute(() -> guarded(() -> produce(partition)));
    }
    for (int i = 0; i < consumers; i++) {
      threads.execute(() -> guarded(this::consume));
    }
    return this;
  }

  /** Pushes that were answered with 201 so far. */
  long pushes() {
    return pushes.get();
  }

  /** Pushes per second during this long. */
  double rate(Duration length) {
    long before = pushes.get();
    long from = System.nanoTime();
    pause(length);
    return (pushes.get() - before) * 1e9 / (System.nanoTime() - from);
  }

  void stopProducing() {
    producing = false;
  }

  /** Whether everything stored was handed out and done. */
  boolean drained() {
    return done.size() >= stored.values().stream().mapToInt(List::size).sum();
  }

  /** By partition, the messages whose push was answered with 201, in order. */
  Map<String, List<String>> stored() {
    return stored;
  }

  /** By partition, what the live group saw, in order, without repetitions. */
  Map<String, List<String>> seen() {
    return seen;
  }

  /** Answers that must not be. */
  List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  /** By partition, everything that another group gets from the start, in order. */
  Map<String, List<String>> readAll(String group) {
    Map<String, List<String>> all = new ConcurrentHashMap<>();
    while (true) {
      Answer answer =
          server.pop(
              queue,
              "consumerGroup="
                  + group
                  + "&batch=1000&autoAck=true&wait=true&timeout=500"
                  + "&subscriptionMode=all");
      if (answer.status() == 204) {
        return all;
      }
      for (JsonObject message : answer.messages()) {
        all.computeIfAbsent(message.getString("partition"), name -> new ArrayList<>())
            .add(message.getString("transactionId"));
      }
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      wrongs.add(e.toString());
    }
  }

  private void produce(String partition) {
    List<String> own = stored.computeIfAbsent(partition, name -> new ArrayList<>());
    for (int i = 0; producing; i++) {
      String id = partition + "-" + i;
      if (!push(partition, id)) {
        return;
      }
      own.add(id);
      pushes.incrementAndGet();
      pause(BETWEEN);
    }
  }

  private boolean push(String partition, String id) {
    while (true) {
      Answer answer = server.push(item(queue, partition, id));
      if (answer.status() == 201) {
        String status = answer.array().getJsonObject(0).getString("status");
        if (!status.equals("queued") && !status.equals("duplicate")) {
          wrongs.add("push " + id + ": " + answer.body());
        }
        return true;
      }
      if (answer.status() != 503 || answer.http().headers().firstValue("Retry-After").isEmpty()) {
        wrongs.add("push " + id + ": " + answer.status() + " " + answer.body());
      }
      if (!consuming) {
        return false;
      }
      pause(Duration.ofMillis(50));
    }
  }

  private void consume() {
    while (consuming) {
      Answer answer = server.pop(queue, POP);
      if (answer.status() == 200) {
        answer.messages().forEach(this::note);
        acknowledge(answer.messages());
      } else if (answer.status() != 204) {
        wrongs.add("pop: " + answer.status() + " " + answer.body());
      }
    }
  }

  private void note(JsonObject message) {
    String id = message.getString("transactionId");
    if (done.contains(id)) {
      wrongs.add("delivered although it was done: " + id);
    }
    List<String> partition =
        seen.computeIfAbsent(message.getString("partition"), name -> new ArrayList<>());
    synchronized (partition) {
      if (!partition.contains(id)) {
        partition.add(id);
      }
    }
  }

  private void acknowledge(List<JsonObject> messages) {
    while (consuming) {
      Answer answer = server.ackAll(messages, "completed");
      if (answer.status() == 200) {
        JsonArray results = answer.array();
        for (int i = 0; i < results.size(); i++) {
          if (results.getJsonObject(i).getBoolean("success")) {
            done.add(messages.get(i).getString("transactionId"));
          }
        }
        return;
      }
      if (answer.status() != 503) {
        wrongs.add("ack: " + answer.status() + " " + answer.body());
        return;
      }
      pause(Duration.ofMillis(50));
    }
  }

  static void pause(Duration length) {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    producing = false;
    consuming = false;
    threads.shutdown();
    try {
      if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
        wrongs.add("a request was not answered within 30 s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
