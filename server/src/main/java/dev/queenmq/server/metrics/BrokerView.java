package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.Distribution;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.broker.SidecarFigures.RequestFigures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the dashboard shows of one broker. Safe for use by several threads. */
public final class BrokerView {
  private static final double HALF = 0.5;
  private static final double MOST = 0.99;
  private static final double MICROS_PER_MILLI = 1_000;

  private final String name;
  private final String version;
  private final ProcessMeter process;

  /** A view of the broker with this name. */
  public BrokerView(String name, String version, ProcessMeter process) {
    this.name = name;
    this.version = version;
    this.process = process;
  }

  /** The broker and its process. */
  public JsonObject toJson(SidecarFigures figures) {
    ProcessReadings readings = process.read();
    return new JsonObject()
        .put("name", name)
        .put("version", version)
        .put("uptimeSeconds", readings.uptime().toSeconds())
        .put("residentBytes", readings.residentBytes())
        .put("heapUsedBytes", readings.heapUsedBytes())
        .put("heapMaxBytes", readings.heapMaxBytes())
        .put("waitingPolls", figures.waitingPolls())
        .put("connections", figures.slots())
        .put("idleConnections", figures.idleSlots())
        .put("databaseErrors", figures.databaseErrors())
        .put("loopDelayP99Ms", quantile(figures.loopDelay(), MOST));
  }

  /** What it did, by kind, and how long clients waited for it. */
  public static JsonArray operations(SidecarFigures figures) {
    JsonArray operations = new JsonArray();
    for (OperationFigures each : figures.operations()) {
      Distribution duration =
          figures.requests().stream()
              .filter(requests -> requests.name().equals(each.name()))
              .findFirst()
              .map(RequestFigures::duration)
              .orElse(each.latency());
      operations.add(
          new JsonObject()
              .put("name", each.name())
              .put("requests", each.requests())
              .put("items", each.items())
              .put("calls", each.calls())
              .put("failures", each.failures())
              .put("pending", each.pending())
              .put("p50Ms", quantile(duration, HALF))
              .put("p99Ms", quantile(duration, MOST)));
    }
    return operations;
  }

  /**
   * The bound below which this share of the values lies, in milliseconds; nothing without values.
   * Beyond the last bound it is that bound.
   */
  static Optional<Double> bound(Distribution values, double share) {
    List<Long> counts = values.counts();
    long all = counts.isEmpty() ? 0 : counts.get(counts.size() - 1);
    if (all == 0) {
      return Optional.empty();
    }
    int last = values.bounds().size() - 1;
    for (int i = 0; i < last; i++) {
      if (counts.get(i) >= share * all) {
        return Optional.of(values.bounds().get(i) / MICROS_PER_MILLI);
      }
    }
    return Optional.of(values.bounds().get(last) / MICROS_PER_MILLI);
  }

  private static @Nullable Double quantile(Distribution values, double share) {
    return bound(values, share).orElse(null);
  }
}
