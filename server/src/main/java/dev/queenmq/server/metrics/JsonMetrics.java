package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The body of {@code GET /metrics}. Rates are those of the last five minutes, from one look to the
 * next. Safe for use by several threads.
 */
public final class JsonMetrics {

  /** What carries messages, into the broker and out of it. */
  private static final Set<String> CARRIERS = Set.of("push", "pop");

  private final Throughput requestRate = new Throughput();
  private final Throughput messageRate = new Throughput();

  /** One that has not looked yet. */
  public JsonMetrics() {}

  /**
   * Bytes, microseconds of CPU, seconds since the start; messages count on their way in and out.
   */
  public JsonObject body(SidecarFigures figures, ProcessReadings process) {
    long nanos = process.uptime().toNanos();
    long requests = figures.operations().stream().mapToLong(OperationFigures::requests).sum();
    long messages =
        figures.operations().stream()
            .filter(operation -> CARRIERS.contains(operation.name()))
            .mapToLong(OperationFigures::items)
            .sum();
    return new JsonObject()
        .put(
            "cpu",
            new JsonObject()
                .put("system", process.cpuSystemMicros())
                .put("user", process.cpuUserMicros()))
        .put(
            "database",
            new JsonObject()
                .put("idleConnections", figures.idleSlots())
                .put("poolSize", figures.slots())
                .put(
                    "waitingRequests",
                    figures.operations().stream().mapToInt(OperationFigures::pending).sum()))
        .put("memory", memory(process))
        .put("messages", counted(messages, messageRate.perSecond(nanos, messages)))
        .put("requests", counted(requests, requestRate.perSecond(nanos, requests)))
        .put("sidecar", SidecarBlock.of(figures))
        .put("uptime", TimeUnit.NANOSECONDS.toSeconds(nanos));
  }

  private static JsonObject memory(ProcessReadings process) {
    return new JsonObject()
        .put("arrayBuffers", process.directBytes())
        .put("external", process.nonHeapUsedBytes())
        .put("heapTotal", process.heapCommittedBytes())
        .put("heapUsed", process.heapUsedBytes())
        .put("rss", process.residentBytes());
  }

  private static JsonObject counted(long total, double rate) {
    return new JsonObject().put("rate", rate).put("total", total);
  }
}
