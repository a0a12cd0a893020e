package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class SlotsIT {
  /** Longer than a test waits: nothing here ends because of it. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  private static final int MOST_WAITING = 2;

  @Test
  void forgottenConnections_areGivenUpLongBeforeTheDeadline(TestDatabase database) {
    try (FaultyProxy line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      Line slots = new Line(database, line);
      assertThat(slots.call("select 1").rowCount()).isEqualTo(1);
      line.forget();

      assertThat(failureOf(slots.send("select 2"))).isNotNull();
      assertThat(slots.call("select 3").iterator().next().getInteger(0)).isEqualTo(3);
      slots.close();
    }
  }

  @Test
  void aStatementThatOnlyTakesLong_isLeftAlone(TestDatabase database) {
    try (FaultyProxy line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      Line slots = new Line(database, line);

      assertThat(slots.call("select 7 from pg_sleep(3)").iterator().next().getInteger(0))
          .isEqualTo(7);
      // Its own, and those that asked for it.
      assertThat(line.connections()).isGreaterThan(1);
      slots.close();
    }
  }

  @Test
  void statements_waitOnlyUpToTheBound(TestDatabase database) {
    try (FaultyProxy line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE)) {
      Line slots = new Line(database, line);
      Future<RowSet<Row>> running = slots.send("select pg_sleep(0.5)");
      Future<RowSet<Row>> first = slots.send("select 1");
      Future<RowSet<Row>> second = slots.send("select 2");

      assertThat(failureOf(slots.send("select 3"))).isInstanceOf(RejectedExecutionException.class);
      assertThat(running.isComplete()).isFalse();
      assertThat(await(first).iterator().next().getInteger(0)).isEqualTo(1);
      assertThat(await(second).iterator().next().getInteger(0)).isEqualTo(2);
      assertThat(slots.call("select 4").iterator().next().getInteger(0)).isEqualTo(4);
      slots.close();
    }
  }

  @Test
  void aServerThatSaysNothing_isNotWaitedForForEver(TestDatabase database) {
    try (FaultyProxy line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.SILENT)) {
      Line slots = new Line(database, line);
      Future<RowSet<Row>> login = slots.send("select 1");

      assertThat(failureOf(login)).isNotNull();
      line.set(Fault.NONE);
      assertThat(slots.call("select 2").rowCount()).isEqualTo(1);
      slots.close();
    }
  }

  /** One slot, for the thread of a test. */
  private static final class Line {
    private final Context context;
    private final Slots slots;

    Line(TestDatabase database, FaultyProxy proxy) {
      PgConnectOptions options =
          ConnectOptions.of(proxy.endpoint(), SessionConfig.defaults().with(Pooler.NONE));
      context = database.vertx().getOrCreateContext();
      slots =
          new Slots(
              database.vertx(),
              context,
              options,
              new Backends(database.vertx(), options, Duration.ofSeconds(2)),
              1,
              MOST_WAITING,
              NEVER,
              System::nanoTime);
    }

    Future<RowSet<Row>> send(String sql) {
      Promise<RowSet<Row>> answer = Promise.promise();
      context.runOnContext(go -> slots.call(sql, Tuple.tuple()).onComplete(answer));
      return answer.future();
    }

    RowSet<Row> call(String sql) {
      return await(send(sql));
    }

    void close() {
      Promise<Void> closed = Promise.promise();
      context.runOnContext(go -> slots.close().onComplete(closed));
      await(closed.future());
    }
  }
}
