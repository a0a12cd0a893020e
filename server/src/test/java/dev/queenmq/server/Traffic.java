package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Producers and consumers of one queue that keep account of every answer. Each producer has a
 * partition of its own, numbers its messages, and repeats a push until it is answered with 201. A
 * client that gets no answer, because the broker died, asks again where the broker is by then.
 */
public final class Traffic implements AutoCloseable {
  private static final Duration BETWEEN = Duration.ofMillis(2);
  private static final Duration AFTER_REFUSAL = Duration.ofMillis(50);
  private static final Duration LAST_ANSWER = Duration.ofSeconds(60);
  private static final int LEAST_POP = 50;

  private final String queue;
  private final int perPush;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, List<String>> stored = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();
  private final Map<String, String> messageIds = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final Set<String> uncertain = ConcurrentHashMap.newKeySet();
  private final List<Future<?>> producers = new ArrayList<>();
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final AtomicLong pushes = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private volatile RunningServer server;
  private volatile boolean mayBreak;
  private volatile boolean producing = true;
  private volatile boolean consuming = true;

  public Traffic(RunningServer server, String queue) {
    this(server, queue, 1);
  }

  /** With this number of messages in one push. */
  public Traffic(RunningServer server, String queue, int perPush) {
    this.server = server;
    this.queue = queue;
    this.perPush = perPush;
  }

  /** From here on the broker may die, and leave requests without an answer. */
  public Traffic mayBreak() {
    mayBreak = true;
    return this;
  }

  /** Where the broker is now. */
  public void moveTo(RunningServer next) {
    server = next;
  }

  /** Starts this number of each. */
  public Traffic start(int producerCount, int consumers) {
    for (int i = 0; i < producerCount; i++) {
      String partition = "p" + i;
      producers.add(threads.submit(() -> guarded(() -> produce(partition))));
    }
    for (int i = 0; i < consumers; i++) {
      threads.execute(() -> guarded(this::consume));
    }
    return this;
  }

  /** Pushes that were answered with 201 so far. */
  public long pushes() {
    return pushes.get();
  }

  /** Pushes that were answered with 503 so far. */
  public long refusals() {
    return refusals.get();
  }

  /** Returns when this number of further pushes were answered with 201. */
  public void awaitPushes(int more) {
    long wanted = pushes.get() + more;
    Awaitility.await().until(() -> pushes.get() >= wanted);
  }

  /** Messages whose ack was answered with success. */
  public int done() {
    return done.size();
  }

  /** Messages whose push was answered with 201, and whose ack was not. */
  public long underWay() {
    return pushes.get() * perPush - done.size();
  }

  public void stopProducing() {
    producing = false;
    for (Future<?> producer : producers) {
      try {
        producer.get(LAST_ANSWER.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * Whether everything stored was handed out and done. An ack whose answer was lost may have
   * happened: its message then does not come again, and no test can see why.
   */
  public boolean drained() {
    return stored.values().stream()
        .flatMap(List::stream)
        .allMatch(id -> done.contains(id) || uncertain.contains(id));
  }

  /** By partition, the messages whose push was answered with 201, in order. */
  public Map<String, List<String>> stored() {
    return stored;
  }

  /** By partition, what the live group saw, in order, without repetitions. */
  public Map<String, List<String>> seen() {
    return seen.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> List.copyOf(each.getValue())));
  }

  /** Answers that must not be. */
  public List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  /** By partition, everything that another group gets from the start, in order. */
  public Map<String, List<String>> readAll(String group) {
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
        check(message);
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
      int from = i * perPush;
      List<String> ids =
          IntStream.range(from, from + perPush).mapToObj(n -> partition + "-" + n).toList();
      if (!push(partition, ids)) {
        return;
      }
      own.addAll(ids);
      pushes.incrementAndGet();
      pause(BETWEEN);
    }
  }

  private boolean push(String partition, List<String> ids) {
    JsonObject[] items =
        ids.stream().map(id -> item(queue, partition, id)).toArray(JsonObject[]::new);
    while (true) {
      Optional<Answer> answer = asked(() -> server.push(items));
      if (answer.isPresent() && answer.get().status() == 201) {
        noteStored(ids, answer.get().array());
        return true;
      }
      if (answer.isPresent()
          && (answer.get().status() != 503
              || answer.get().http().headers().firstValue("Retry-After").isEmpty())) {
        wrongs.add("push " + ids + ": " + answer.get().status() + " " + answer.get().body());
      }
      if (!consuming) {
        return false;
      }
      refusals.incrementAndGet();
      pause(AFTER_REFUSAL);
    }
  }

  private void noteStored(List<String> ids, JsonArray results) {
    for (int i = 0; i < ids.size(); i++) {
      JsonObject result = results.getJsonObject(i);
      if (!Set.of("queued", "duplicate").contains(result.getString("status"))) {
        wrongs.add("push " + ids.get(i) + ": " + result);
      } else {
        messageIds.put(ids.get(i), result.getString("message_id"));
      }
    }
  }

  private void consume() {
    String query =
        "consumerGroup=live&batch=" + Math.max(LEAST_POP, 2 * perPush) + "&wait=true&timeout=1000";
    while (consuming) {
      Optional<Answer> answer = asked(() -> server.pop(queue, query));
      if (answer.isEmpty()) {
        pause(AFTER_REFUSAL);
      } else if (answer.get().status() == 200) {
        answer.get().messages().forEach(this::note);
        acknowledge(answer.get().messages());
      } else if (answer.get().status() != 204) {
        wrongs.add("pop: " + answer.get().status() + " " + answer.get().body());
      }
    }
  }

  private void note(JsonObject message) {
    String id = message.getString("transactionId");
    if (done.contains(id)) {
      wrongs.add("delivered although it was done: " + id);
    }
    check(message);
    Set<String> partition =
        seen.computeIfAbsent(message.getString("partition"), name -> new LinkedHashSet<>());
    synchronized (partition) {
      partition.add(id);
    }
  }

  /** It must be the message of which the producer was told. */
  private void check(JsonObject message) {
    String id = message.getString("transactionId");
    String told = messageIds.getOrDefault(id, message.getString("id"));
    if (!told.equals(message.getString("id"))) {
      wrongs.add("delivered " + message.getString("id") + ", stored " + told + ": " + id);
    }
  }

  private void acknowledge(List<JsonObject> messages) {
    while (consuming) {
      Optional<Answer> answer = asked(() -> server.ackAll(messages, "completed"));
      if (answer.isPresent() && answer.get().status() == 200) {
        JsonArray results = answer.get().array();
        for (int i = 0; i < results.size(); i++) {
          boolean success = results.getJsonObject(i).getBoolean("success");
          (success ? done : uncertain).add(messages.get(i).getString("transactionId"));
        }
        return;
      }
      if (answer.isPresent() && answer.get().status() != 503) {
        wrongs.add("ack: " + answer.get().status() + " " + answer.get().body());
        return;
      }
      pause(AFTER_REFUSAL);
    }
  }

  /** The answer; none if the broker died meanwhile. */
  private Optional<Answer> asked(Supplier<Answer> request) {
    try {
      return Optional.of(request.get());
    } catch (CompletionException e) {
      if (mayBreak && e.getCause() instanceof IOException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  public static void pause(Duration length) {
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
      if (!threads.awaitTermination(LAST_ANSWER.toSeconds(), TimeUnit.SECONDS)) {
        wrongs.add("a request was not answered within 60 s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
