package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.Figures;
import dev.queenmq.server.broker.QueueFigure;
import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.broker.TrafficSnapshot;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Makes reports of minutes from what event loops and the process show. For one thread. */
public final class MinuteRecorder {
  private static final long MINUTE_MILLIS = 60_000;
  private static final Set<String> SHOWN = Set.of("push", "pop", "ack");

  private final Figures figures;
  private final Supplier<ProcessReadings> meter;
  private final Supplier<JsonObject> sharedState;
  private final LongSupplier nanoTime;
  private final ProcessSamples samples;
  private long minute;

  /** A recorder that counts from now on. */
  public MinuteRecorder(
      Figures figures,
      int workers,
      Supplier<ProcessReadings> meter,
      Supplier<JsonObject> sharedState,
      LongSupplier nanoTime) {
    this.figures = figures;
    this.meter = meter;
    this.sharedState = sharedState;
    this.nanoTime = nanoTime;
    this.samples = new ProcessSamples(workers, nanoTime.getAsLong(), meter.get());
    this.minute = now();
  }

  /** Looks at the process. */
  public void sample() {
    samples.add(nanoTime.getAsLong(), meter.get(), figures.now());
  }

  /** Whether a minute has ended since the last report. */
  public boolean minuteIsOver() {
    // A clock that was set back does not end a minute.
    return now() > minute;
  }

  /** The minute that has ended, or the one that runs, so far. */
  public Future<MinuteReport> report() {
    boolean over = minuteIsOver();
    Instant began = Instant.ofEpochMilli(minute * MINUTE_MILLIS);
    if (over) {
      minute = now();
    }
    MinuteReport.ProcessTaken process = samples.take(over);
    return figures.traffic(over).map(all -> report(began, all, process));
  }

  private long now() {
    return Math.floorDiv(figures.databaseMillis(), MINUTE_MILLIS);
  }

  private MinuteReport report(
      Instant began, List<TrafficSnapshot> all, MinuteReport.ProcessTaken process) {
    TreeMap<String, List<Long>> queues = new TreeMap<>();
    List<Long> totals = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    List<Double> delays = new ArrayList<>();
    for (TrafficSnapshot each : all) {
      each.queues().forEach((name, own) -> queues.merge(name, own, MinuteRecorder::together));
      counts.addAll(each.counts());
      delays.add(each.loopDelaySum());
      delays.add(each.loopDelayMax());
      for (int i = 0; i < each.totals().size(); i++) {
        long own = each.totals().get(i);
        if (i < totals.size()) {
          totals.set(i, totals.get(i) + own);
        } else {
          totals.add(own);
        }
      }
    }
    List<Long> queueCounts = new ArrayList<>();
    queues.values().forEach(queueCounts::addAll);
    return new MinuteReport(
        began,
        totals,
        List.copyOf(queues.keySet()),
        queueCounts,
        all.size(),
        counts,
        delays,
        process,
        shared());
  }

  private static List<Long> together(List<Long> a, List<Long> b) {
    List<Long> sum = new ArrayList<>(a.size());
    for (QueueFigure figure : QueueFigure.values()) {
      long one = a.get(figure.place());
      long two = b.get(figure.place());
      sum.add(figure.isMaximum() ? Math.max(one, two) : one + two);
    }
    return sum;
  }

  /** The shared state, with the names of the HTTP contract. */
  private JsonObject shared() {
    SidecarFigures now = figures.now();
    JsonObject operations = new JsonObject();
    for (OperationFigures each : now.operations()) {
      if (SHOWN.contains(each.name())) {
        operations.put(
            each.name(),
            new JsonObject()
                .put("count", each.requests())
                .put("items", each.items())
                .put("latency_us", PrometheusMetrics.meanLatency(each)));
      }
    }
    JsonObject all = sharedState.get();
    JsonObject shown =
        new JsonObject()
            .put("enabled", all.getBoolean("enabled", false))
            .put("sidecar_ops", operations)
            .put(
                "queue_backoff",
                new JsonObject()
                    .put("groups", now.waitGroups())
                    .put("backed_off", now.backedOffGroups()))
            .put(
                "queue_backoff_summary",
                new JsonObject().put("avg_interval_ms", now.averageBackoffMillis()));
    for (String part :
        List.of("queue_config_cache", "consumer_presence", "server_health", "transport")) {
      shown.put(part, all.getValue(part, new JsonObject()));
    }
    return shown;
  }
}
