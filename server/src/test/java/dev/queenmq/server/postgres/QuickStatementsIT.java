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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Quick statements on one connection, and what may not happen to those that wait there. */
@ExtendWith(PostgresExtension.class)
class QuickStatementsIT {
  private static final String PROCESS = "select pg_backend_pid()";

  /** Takes until it is cancelled. */
  private static final String SLOW = "select pg_sleep(600)";

  /** Longer than a test waits: nothing here ends because of it. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  private static final int SIZE = 2;

  /** Stands still, so that no statement takes long unless a test says so. */
  private final AtomicLong nanos = new AtomicLong();

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
            NEVER,
            nanos::get);
    shared = process(await(quick(PROCESS)));
  }

  @AfterEach
  void close() {
    await(onContext(() -> slots.close()));
  }

  @Test
  void quickStatements_shareAConnection() {
    List<Future<RowSet<Row>>> sent = quickly(PROCESS, PROCESS, PROCESS);

    assertThat(sent).allSatisfy(each -> assertThat(process(await(each))).isEqualTo(shared));
    assertThat(slots.busy()).isZero();
  }

  @Test
  void anyOtherStatement_hasAConnectionForItself() {
    Future<RowSet<Row>> quick = quick(SLOW);
    Future<RowSet<Row>> other = call(PROCESS);

    assertThat(process(await(other))).isNotEqualTo(shared);
    cancel(quick);
  }

  @Test
  void aQuickStatementThatWouldWaitForLong_takesAnIdleConnection() {
    Future<RowSet<Row>> slow = quick(SLOW);
    await(call(PROCESS)); // by then the slow one is sent
    nanos.addAndGet(Duration.ofMillis(20).toNanos());
    Future<RowSet<Row>> next = quick(PROCESS);

    assertThat(process(await(next))).isNotEqualTo(shared);
    cancel(slow);
  }

  @Test
  void aStatementThatWaitsForALock_delaysNoOther_andHappensOnce() {
    database.query("create table counted (n integer not null)");
    database.query("insert into counted values (0)");
    PgConnection other = database.connect();
    await(other.query("begin").execute());
    await(other.query("update counted set n = n + 100").execute());

    List<Future<RowSet<Row>>> sent = quickly("update counted set n = n + 1", PROCESS);
    Future<RowSet<Row>> locked = sent.get(0);

    assertThat(process(await(sent.get(1)))).isEqualTo(shared);
    assertThat(locked.isComplete()).isFalse();
    await(other.query("commit").execute());
    await(locked);
    assertThat(database.value("select n from counted")).isEqualTo(101);
    await(other.close());
  }

  @Test
  void aLostConnection_failsAllThatWereUnderWayOnIt() {
    List<Future<RowSet<Row>>> sent = quickly(SLOW, PROCESS);
    database.query("select pg_terminate_backend(" + shared + ")");

    assertThat(sent).allSatisfy(each -> assertThat(failureOf(each)).isNotNull());
    assertThat(process(await(quick(PROCESS)))).isNotEqualTo(shared);
    assertThat(slots.busy()).isZero();
  }

  @Test
  void afterARefusedWrite_thoseUnderWayAreAnswered_andNewOnesReachAnotherConnection() {
    List<Future<RowSet<Row>>> sent =
        quickly("do $$ begin raise 'read only' using errcode = '25006'; end $$", PROCESS);

    assertThat(failureOf(sent.get(0))).isNotNull();
    assertThat(process(await(sent.get(1)))).isEqualTo(shared);
    assertThat(process(await(quick(PROCESS)))).isNotEqualTo(shared);
    assertThat(slots.busy()).isZero();
  }

  @Test
  void aFailure_concernsOneStatement() {
    List<Future<RowSet<Row>>> sent = quickly("select 1 / 0", PROCESS);

    assertThat(failureOf(sent.get(0))).hasMessageContaining("division by zero");
    assertThat(process(await(sent.get(1)))).isEqualTo(shared);
  }

  private static int process(RowSet<Row> answer) {
    return answer.iterator().next().getInteger(0);
  }

  private Future<RowSet<Row>> quick(String sql) {
    return onContext(() -> slots.quick(sql, Tuple.tuple()));
  }

  /** Sent in one go: so none of them has been under way for long. */
  private List<Future<RowSet<Row>>> quickly(String... statements) {
    Promise<List<Future<RowSet<Row>>>> sent = Promise.promise();
    context.runOnContext(
        go ->
            sent.complete(
                Arrays.stream(statements).map(sql -> slots.quick(sql, Tuple.tuple())).toList()));
    return await(sent.future());
  }

  private void cancel(Future<RowSet<Row>> slow) {
    assertThat(slow.isComplete()).isFalse();
    database.query("select pg_cancel_backend(" + shared + ")");
    assertThat(failureOf(slow)).hasMessageContaining("canceling statement");
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
