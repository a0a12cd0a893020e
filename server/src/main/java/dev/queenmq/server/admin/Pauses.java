package dev.queenmq.server.admin;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whose pops an operator has paused: {@code pauses_v1}. */
final class Pauses {
  private static final String PAUSES = "select * from queen.pauses_v1($1)";

  /** Stands for all groups. */
  private static final String ALL_GROUPS = "";

  /** What is paused, by queue and group. */
  private final Map<String, Map<String, JsonObject>> pauses = new HashMap<>();

  private Pauses(RowSet<Row> rows) {
    for (Row row : rows) {
      @Nullable OffsetDateTime since = row.getOffsetDateTime("since");
      pauses
          .computeIfAbsent(row.getString("queue"), queue -> new HashMap<>())
          .put(
              row.getString("consumer_group"),
              new JsonObject()
                  .put("by", row.getString("paused_by"))
                  .put("since", since == null ? null : Moments.text(since)));
    }
  }

  /** Those of all queues. */
  static Future<Pauses> all(AdminSql sql) {
    return sql.ask(PAUSES, Tuple.tuple().addString(null)).map(Pauses::new);
  }

  /** Those of one queue. */
  static Future<Pauses> of(String queue, AdminSql sql) {
    return sql.ask(PAUSES, Tuple.tuple().addString(queue)).map(Pauses::new);
  }

  /** Whether no group may pop from a queue. */
  boolean isPaused(String queue) {
    return ofQueue(queue).containsKey(ALL_GROUPS);
  }

  /** Whether a group may not pop from a queue. */
  boolean isPaused(String queue, String group) {
    return isPaused(queue) || ofQueue(queue).containsKey(group);
  }

  /** Adds what is paused to what is shown of a queue. */
  JsonObject addTo(JsonObject shown, String queue) {
    JsonArray groups = new JsonArray();
    ofQueue(queue).entrySet().stream()
        .filter(entry -> !entry.getKey().equals(ALL_GROUPS))
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> groups.add(entry.getValue().copy().put("consumerGroup", entry.getKey())));
    Optional<JsonObject> all = Optional.ofNullable(ofQueue(queue).get(ALL_GROUPS));
    return shown
        .put("paused", all.isPresent())
        .put("pausedBy", all.map(pause -> pause.getString("by")).orElse(null))
        .put("pausedGroups", groups)
        .put("pausedSince", all.map(pause -> pause.getString("since")).orElse(null));
  }

  private Map<String, JsonObject> ofQueue(String queue) {
    return pauses.getOrDefault(queue, Map.of());
  }
}
