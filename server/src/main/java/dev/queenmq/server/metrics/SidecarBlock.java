package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.Distribution;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What is shown of a broker's sidecars in JSON. */
public final class SidecarBlock {
  private SidecarBlock() {}

  /** All of it, for {@code GET /metrics}. */
  static JsonObject of(SidecarFigures figures) {
    JsonObject operations = new JsonObject();
    for (OperationFigures each : figures.operations()) {
      operations.put(
          each.name(),
          new JsonObject()
              .put("calls", each.calls())
              .put("failures", each.failures())
              .put("items", each.items())
              .put("pending", each.pending())
              .put("per_call", mean(each.batch()))
              .put("requests", each.requests()));
    }
    return groups(figures)
        .put("operations", operations)
        .put("waiting_polls", figures.waitingPolls());
  }

  /** How the polls are that wait, for the answer about shared state. */
  public static JsonObject groups(SidecarFigures figures) {
    return new JsonObject()
        .put(
            "group_backoff",
            new JsonObject()
                .put("groups_backed_off", figures.backedOffGroups())
                .put("groups_in_flight", figures.inFlightGroups())
                .put("groups_tracked", figures.waitGroups()))
        .put("local_sidecars", figures.sidecars());
  }

  private static double mean(Distribution sizes) {
    List<Long> counts = sizes.counts();
    long calls = counts.isEmpty() ? 0 : counts.get(counts.size() - 1);
    return calls == 0 ? 0 : sizes.sum() / calls;
  }
}
