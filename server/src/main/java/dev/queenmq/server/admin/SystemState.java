package dev.queenmq.server.admin;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;

/**
 * The switches that all brokers have in common. Safe for use by several threads. Failures are
 * {@link AdminException}s.
 */
public final class SystemState {
  /** Pushes are kept away from PostgreSQL. */
  public static final String MAINTENANCE = "maintenance_mode";

  /** Pops find nothing. */
  public static final String POP_MAINTENANCE = "pop_maintenance_mode";

  private static final String SET = "select queen.set_state_v1($1, to_jsonb($2::boolean))";
  private static final String ALL = "select * from queen.states_v1()";

  /**
   * A switch.
   *
   * @param millis when it was set; a later one wins
   */
  public record Switch(boolean on, long millis) {}

  private final AdminSql sql;

  /** Asks through this client. */
  public SystemState(StoreClient client) {
    sql = new AdminSql(client);
  }

  /** Sets one. */
  public Future<Switch> set(String name, boolean on) {
    return sql.ask(SET, Tuple.of(name, on))
        .map(rows -> new Switch(on, rows.iterator().next().getLong(0)));
  }

  /** All that were ever set, by name. */
  public Future<Map<String, Switch>> all() {
    return sql.ask(ALL, Tuple.tuple())
        .map(
            rows -> {
              Map<String, Switch> all = new HashMap<>();
              for (Row row : rows) {
                all.put(
                    row.getString("key"),
                    new Switch(Boolean.TRUE.equals(row.getValue("value")), row.getLong("set_at")));
              }
              return all;
            });
  }
}
