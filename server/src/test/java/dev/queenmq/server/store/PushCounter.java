package dev.queenmq.server.store;

import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** A line that counts how messages are pushed. */
public final class PushCounter implements StoreClient {
  /** The ways that a push can take, over several lines. */
  public record Counts(
      LongAdder one, LongAdder several, LongAdder singles, LongAdder missed, LongAdder procedure) {
    public Counts() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    public long plain() {
      return one.sum() + several.sum() + singles.sum();
    }

    public void reset() {
      List.of(one, several, singles, missed, procedure).forEach(LongAdder::reset);
    }

    @Override
    public String toString() {
      return "%s pushes of one segment, %s of several, %s of single messages, %s that missed, %s by procedure"
          .formatted(one, several, singles, missed, procedure);
    }
  }

  private final StoreClient client;
  private final Counts counts;
  private final List<String> statements = new CopyOnWriteArrayList<>();
  private volatile String dropped = "";

  public PushCounter(StoreClient client, Counts counts) {
    this.client = client;
    this.counts = counts;
  }

  public static boolean isPlain(String sql) {
    return sql.startsWith("/* queen.push_");
  }

  /** The next statement of this name is not sent: its caller sees a broken connection. */
  public void dropNext(String name) {
    dropped = name;
  }

  @Override
  public Future<RowSet<Row>> call(String sql, Tuple arguments) {
    statements.add(sql);
    if (!dropped.isEmpty() && sql.contains(dropped)) {
      dropped = "";
      return Future.failedFuture(ClosedConnectionException.INSTANCE);
    }
    if (sql.contains("queen.push_v1(")) {
      counts.procedure.increment();
    } else if (isPlain(sql)) {
      (sql.contains("push_one") || sql.contains("push_and_lease")
              ? counts.one
              : sql.contains("push_several") ? counts.several : counts.singles)
          .increment();
      return client
          .call(sql, arguments)
          .onSuccess(
              rows -> {
                if (rows.size() == 0) {
                  counts.missed.increment();
                }
              });
    }
    return client.call(sql, arguments);
  }

  /** What was sent since the last time. */
  public List<String> takeStatements() {
    List<String> taken = List.copyOf(statements);
    statements.clear();
    return taken;
  }
}
