package dev.queenmq.server.metrics;

import io.vertx.core.json.JsonObject;
import java.util.Map;

/** The figures of the shared state as series: every number of it, by the path to it. */
final class SharedStateMetrics {
  private static final String PREFIX = "queen_shared_state";

  private SharedStateMetrics() {}

  static void write(PrometheusText text, JsonObject sharedState) {
    write(text, PREFIX, "", sharedState);
  }

  private static void write(PrometheusText text, String name, String path, JsonObject figures) {
    for (Map.Entry<String, Object> each : figures) {
      String series = name + "_" + each.getKey();
      String here = path.isEmpty() ? each.getKey() : path + "." + each.getKey();
      Object value = figures.getValue(each.getKey());
      if (value instanceof Boolean flag) {
        text.gauge(series, here).sample(flag ? 1 : 0);
      } else if (value instanceof Number number) {
        text.gauge(series, here).sample(number);
      } else if (value instanceof JsonObject below && isFixed(each.getKey())) {
        write(text, series, here, below);
      }
    }
  }

  /** Not those whose names are addresses or other brokers. */
  private static boolean isFixed(String name) {
    return !name.equals("last_heartbeat")
        && !name.equals("learned_identities")
        && !name.equals("heard");
  }
}
