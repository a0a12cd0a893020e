package dev.queenmq.server.admin.history;

import dev.queenmq.server.metrics.MinuteRecorder;
import dev.queenmq.server.metrics.MinuteReport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each minute's statistics when the minute ends, and once more when the broker stops. What
 * could not be written is retried with the next minute, for an hour. Its state belongs to one event
 * loop.
 */
public final class HistoryKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryKeeper.class);
  private static final long TICK_MILLIS = 500;
  private static final int KEPT_REPORTS = 60;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_CLEANINGS = Duration.ofHours(1);

  /**
   * How often, and for how long.
   *
   * @param write also before a minute ends
   * @param sample of the process
   * @param brokerDays how long a broker is listed by itself after it was last seen; no minute may
   *     be kept longer
   */
  public record Rules(Duration write, Duration sample, int brokerDays) {}

  private final Vertx vertx;
  private final Context context;
  private final MinuteRecorder recorder;
  private final HistoryWriter writer;
  private final Rules rules;
  private final LongSupplier nanoTime;
  private final Deque<MinuteReport> unwritten = new ArrayDeque<>();
  private final List<Long> timers = new ArrayList<>();
  private Future<Void> writing = Future.succeededFuture();
  private long writtenAt;

  /** Does nothing yet. */
  public HistoryKeeper(
      Vertx vertx,
      MinuteRecorder recorder,
      HistoryWriter writer,
      Rules rules,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.recorder = recorder;
    this.writer = writer;
    this.rules = rules;
    this.nanoTime = nanoTime;
    writtenAt = nanoTime.getAsLong();
  }

  /** Begins. */
  public void start() {
    context.runOnContext(
        go -> {
          timers.add(vertx.setPeriodic(rules.sample().toMillis(), tick -> recorder.sample()));
          timers.add(vertx.setPeriodic(TICK_MILLIS, tick -> tick()));
          timers.add(vertx.setPeriodic(BETWEEN_CLEANINGS.toMillis(), tick -> forget()));
        });
  }

  /** Writes down what is left. */
  public Future<Void> stop() {
    Promise<Void> stopped = Promise.promise();
    context.runOnContext(
        go -> {
          timers.forEach(vertx::cancelTimer);
          timers.clear();
          writing.eventually(this::write).onComplete(stopped);
        });
    return stopped.future();
  }

  private void tick() {
    boolean early =
        rules.write().compareTo(MINUTE) < 0
            && nanoTime.getAsLong() - writtenAt >= rules.write().toNanos();
    boolean due = early || recorder.minuteIsOver();
    if (due && writing.isComplete()) {
      writtenAt = nanoTime.getAsLong();
      writing = write().onFailure(failure -> LOG.debug("a minute was not written", failure));
    }
  }

  private Future<Void> write() {
    return recorder
        .report()
        .compose(
            report -> {
              // Of the same minute, the later one says more.
              unwritten.removeIf(each -> each.minute().equals(report.minute()));
              unwritten.addLast(report);
              while (unwritten.size() > KEPT_REPORTS) {
                unwritten.removeFirst();
              }
              return writeAll();
            });
  }

  private Future<Void> writeAll() {
    MinuteReport next = unwritten.peekFirst();
    if (next == null) {
      return Future.succeededFuture();
    }
    return writer
        .write(next)
        .compose(
            written -> {
              unwritten.remove(next);
              return writeAll();
            });
  }

  private void forget() {
    writer
        .forgetBrokers(rules.brokerDays())
        .onFailure(failure -> LOG.debug("brokers of old were not added up", failure));
  }
}
