package dev.queenmq.server.tracing;

import dev.queenmq.server.config.TracingConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends spans to a collector, on a thread of its own. Requests never wait for it: what finds no
 * room is dropped and counted. A collector that is away costs spans and a log line a minute.
 */
final class SpanExporter {
  private static final Logger log = LoggerFactory.getLogger(SpanExporter.class);

  /** Those that the protocol names: the same may be accepted later. */
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private static final int ATTEMPTS = 3;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long NANOS_BETWEEN_LINES = TimeUnit.MINUTES.toNanos(1);

  private final TracingConfig config;
  private final OtlpJson json;
  private final LongSupplier nanos;
  private final BlockingQueue<Span> queue;
  private final AtomicLong dropped = new AtomicLong();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private final HttpClient http;
  private final Thread thread;
  private volatile boolean closing;
  private long lastLine;

  SpanExporter(TracingConfig config, String version, LongSupplier nanos) {
    this.config = config;
    this.nanos = nanos;
    json = new OtlpJson(config.resource(), version);
    queue = new ArrayBlockingQueue<>(config.maxQueue());
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(config.timeout())
            .build();
    lastLine = nanos.getAsLong() - NANOS_BETWEEN_LINES;
    thread = new Thread(this::run, "queen-spans");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Takes a span; from any thread, without waiting. */
  void add(Span span) {
    if (closing || !queue.offer(span)) {
      dropped.incrementAndGet();
    }
  }

  /** Sends what it has, once, and ends. */
  CompletableFuture<Void> close() {
    closing = true;
    thread.interrupt();
    return over.copy();
  }

  private void run() {
    try {
      while (!closing) {
        pause();
        sendAll();
      }
    } finally {
      over.complete(null);
    }
  }

  /** Waits until a batch is full, or it is time to send. */
  private void pause() {
    long until = nanos.getAsLong() + config.delay().toNanos();
    try {
      while (!closing && queue.size() < config.maxBatch() && nanos.getAsLong() < until) {
        Thread.sleep(
            Math.max(1, Math.min(100, TimeUnit.NANOSECONDS.toMillis(until - nanos.getAsLong()))));
      }
    } catch (InterruptedException e) {
      // It ends: what is left goes now.
    }
  }

  private void sendAll() {
    List<Span> batch = new ArrayList<>();
    while (queue.drainTo(batch, config.maxBatch()) > 0) {
      send(batch);
      batch.clear();
    }
    long lost = dropped.get();
    if (lost > 0 && mayReport()) {
      dropped.addAndGet(-lost);
      log.warn("{} spans were dropped: the collector is too slow or away", lost);
    }
  }

  private void send(List<Span> batch) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(config.endpoint())
            .timeout(config.timeout())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(json.write(batch)));
    config.headers().forEach((name, value) -> request.setHeader(name, value.value()));
    String problem = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
        if (answer.statusCode() / 100 == 2) {
          return;
        }
        problem = "status " + answer.statusCode();
        if (!PASSING.contains(answer.statusCode())) {
          break;
        }
      } catch (IOException e) {
        problem = e.toString();
      } catch (InterruptedException e) {
        // It ends, and this batch was on its way: once more, and no more after that.
        problem = "the broker stopped";
      }
      if (closing && attempt > 1) {
        break;
      }
      rest(attempt);
    }
    dropped.addAndGet(batch.size());
    if (mayReport()) {
      log.warn(
          "{} spans were not accepted at {}: {}", dropped.getAndSet(0), config.endpoint(), problem);
    }
  }

  private void rest(int attempt) {
    if (closing) {
      return;
    }
    try {
      Thread.sleep(FIRST_PAUSE_MILLIS << (attempt - 1));
    } catch (InterruptedException e) {
      // It ends: the next attempt is the last.
    }
  }

  private boolean mayReport() {
    long now = nanos.getAsLong();
    if (now - lastLine < NANOS_BETWEEN_LINES) {
      return false;
    }
    lastLine = now;
    return true;
  }
}
