package dev.queenmq.server.metrics;

import io.vertx.core.json.JsonObject;
import java.util.Map;

/** The figures of the shared state as series: every number of it, by the path to it. */
final class SharedStateMetrics {
  private static final String PREFIX = "queen_shared_state";

  private SharedStateMetrics() {}

  static void write(PrometheusText text, JsonObject sharedState) {
    write(text, PREFIX, "", sharedState);
    JsonObject settings = sharedState.getJsonObject("queue_config_cache", new JsonObject());
    text.gauge("queen_qc_cache_size", "Queues whose version is known.")
        .sample(number(settings, "size"));
    text.counter("queen_qc_cache_hits_total", "Always 0: settings are not cached.")
        .sample(number(settings, "hits"));
    text.counter("queen_qc_cache_misses_total", "Always 0: settings are not cached.")
        .sample(number(settings, "misses"));
    JsonObject health = sharedState.getJsonObject("server_health", new JsonObject());
    text.gauge("queen_servers", "Other brokers.")
        .sample("state", "alive", number(health, "servers_alive"))
        .sample("state", "dead", number(health, "servers_dead"));
    JsonObject transport = sharedState.getJsonObject("transport", new JsonObject());
    text.counter("queen_transport_messages_total", "Packets between brokers.")
        .sample("dir", "sent", number(transport, "messages_sent"))
        .sample("dir", "received", number(transport, "messages_received"))
        .sample("dir", "dropped", number(transport, "messages_dropped"));
  }

  private static Number number(JsonObject of, String name) {
    return of.getValue(name) instanceof Number number ? number : 0;
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
