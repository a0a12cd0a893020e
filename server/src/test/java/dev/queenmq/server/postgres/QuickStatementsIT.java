package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Quick statements on one connection, and what may not happen to those that wait there. */
@ExtendWith(PostgresExtension.class)
class QuickStatementsIT {
  private static final String PROCESS = "select pg_backend_pid()";
  private static final String SLOW_PROCESS = "select pg_backend_pid() from pg_sleep(0.5)";

  /** Longer than a test waits: nothing here ends because of it. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  private static final int SIZE = 2;

  private final AtomicInteger forgotten = new AtomicInteger();
  private TestDatabase database;
  private Context context;
  private Slots slots;
  private int shared;

  @BeforeEach
  void open(TestDatabase given) {
    database = given;
    context = given.vertx().getOrCreateContext();
    slots =
        Slots.ofStore(
            given.vertx(),
            context,
            PrimaryFinder.of(
                given.vertx(),
                new PgConnectOptions(given.storeOptions())
                    .addProperty("lock_timeout", NEVER.toMillis() + "ms")),
            forgotten::incrementAndGet,
            new Backends(given.vertx(), given.options(), Duration.ofSeconds(2)),
            SIZE,
            true,
            100,
            NEVER);
    shared = process(await(quick(PROCESS)));
  }

  @AfterEach
  void close() {
    await(onContext(() -> slots.close()));
  }

  @Test
  void quickStatements_shareAConnection() {
    Future<RowSet<Row>> first = quick(SLOW_PROCESS);
    Future<RowSet<Row>> second = quick(PROCESS);
    Future<RowSet<Row>> third = quick(PROCESS);

    assertThat(process(await(third))).isEqualTo(shared);
    assertThat(process(await(second))).isEqualTo(shared);
    assertThat(process(await(first))).isEqualTo(shared);
    assertThat(slots.busy()).isZero();
  }

  @Test
  void anyOtherStatement_hasAConnectionForItself() {
    Future<RowSet<Row>> quick = quick(SLOW_PROCESS);
    Future<RowSet<Row>> other = call(PROCESS);

    assertThat(process(await(other))).isNotEqualTo(shared);
    assertThat(quick.isComplete()).isFalse();
    await(quick);
  }

  @Test
  void aQuickStatementThatWouldWaitForLong_takesAnIdleConnection() {
    Future<RowSet<Row>> slow = quick(SLOW_PROCESS);
    await(call("select 1 from pg_sleep(0.02)")); // as long as the slow one runs already
    Future<RowSet<Row>> next = quick(PROCESS);

    assertThat(process(await(next))).isNotEqualTo(shared);
    assertThat(slow.isComplete()).isFalse();
    await(slow);
  }

  @Test
  void aStatementThatWaitsForALock_delaysNoOther_andHappensOnce() {
    database.query("create table counted (n integer not null)");
    database.query("insert into counted values (0)");
    PgConnection other = database.connect();
    await(other.query("begin").execute());
    await(other.query("update counted set n = n + 100").execute());

    Future<RowSet<Row>> locked = quick("update counted set n = n + 1");
    Future<RowSet<Row>> behind = quick(PROCESS);

    assertThat(process(await(behind))).isEqualTo(shared);
    assertThat(locked.isComplete()).isFalse();
    await(other.query("commit").execute());
    await(locked);
    assertThat(database.value("select n from counted")).isEqualTo(101);
    await(other.close());
  }

  @Test
  void aLostConnection_failsAllThatWereUnderWayOnIt() {
    Future<RowSet<Row>> first = quick(SLOW_PROCESS);
    Future<RowSet<Row>> second = quick(PROCESS);
    database.query("select pg_terminate_backend(" + shared + ")");

    assertThat(failureOf(first)).isNotNull();
    assertThat(failureOf(second)).isNotNull();
    assertThat(process(await(quick(PROCESS)))).isNotEqualTo(shared);
    assertThat(slots.busy()).isZero();
  }

  @Test
  void afterARefusedWrite_thoseUnderWayAreAnswered_andNewOnesReachAnotherConnection() {
    Future<RowSet<Row>> refused =
        quick("do $$ begin raise 'read only' using errcode = '25006'; end $$");
    Future<RowSet<Row>> behind = quick(PROCESS);

    assertThat(failureOf(refused)).isNotNull();
    assertThat(process(await(behind))).isEqualTo(shared);
    assertThat(process(await(quick(PROCESS)))).isNotEqualTo(shared);
    assertThat(slots.busy()).isZero();
  }

  @Test
  void aFailure_concernsOneStatement() {
    Future<RowSet<Row>> wrong = quick("select 1 / 0");
    Future<RowSet<Row>> behind = quick(PROCESS);

    assertThat(failureOf(wrong)).hasMessageContaining("division by zero");
    assertThat(process(await(behind))).isEqualTo(shared);
  }

  private static int process(RowSet<Row> answer) {
    return answer.iterator().next().getInteger(0);
  }

  private Future<RowSet<Row>> quick(String sql) {
    return onContext(() -> slots.quick(sql, Tuple.tuple()));
  }

  private Future<RowSet<Row>> call(String sql) {
    return onContext(() -> slots.call(sql, Tuple.tuple()));
  }

  private <T> Future<T> onContext(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(go -> work.get().onComplete(done));
    return done.future();
  }
}
