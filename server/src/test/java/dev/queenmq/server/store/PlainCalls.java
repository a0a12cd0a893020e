package dev.queenmq.server.store;

import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** How often plain statements were sent, and how often they did something. Thread-safe. */
public final class PlainCalls {
  /** The calls of one statement. */
  public record Calls(String name, AtomicLong sent, AtomicLong settled) {
    @Override
    public String toString() {
      return name + " " + sent + " times, " + settled + " of them to an effect";
    }
  }

  private final Map<String, Calls> calls;

  public PlainCalls(String... names) {
    calls =
        Arrays.stream(names)
            .collect(
                Collectors.toMap(
                    StatementFile::read,
                    name -> new Calls(name, new AtomicLong(), new AtomicLong())));
  }

  /** The same line, counted. */
  public StoreClient on(StoreClient line) {
    return (sql, arguments) -> count(line, sql, arguments);
  }

  private Future<RowSet<Row>> count(StoreClient line, String sql, Tuple arguments) {
    Calls each = calls.get(sql);
    if (each == null) {
      return line.call(sql, arguments);
    }
    each.sent.incrementAndGet();
    return line.call(sql, arguments)
        .onSuccess(rows -> each.settled.addAndGet(hasEffect(rows) ? 1 : 0));
  }

  /** Rows of a pop, and of a push for a poll, say whether something was leased. */
  private static boolean hasEffect(RowSet<Row> rows) {
    List<String> columns = rows.columnsNames();
    if (columns != null && columns.contains("xid") && columns.contains("expires")) {
      return rows.rowCount() > 0 && rows.iterator().next().getValue("expires") != null;
    }
    if (columns == null || !columns.contains("usual")) {
      return rows.rowCount() > 0;
    }
    for (Row row : rows) {
      if (row.getBoolean("usual")) {
        return true;
      }
    }
    return false;
  }

  public Collection<Calls> counted() {
    return calls.values();
  }

  @Override
  public String toString() {
    return calls.values().toString();
  }
}
