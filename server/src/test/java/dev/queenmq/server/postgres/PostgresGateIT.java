package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class PostgresGateIT {
  /** With a machine that has much else to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private TestDatabase database;

  @BeforeEach
  void freshDatabase(TestDatabase database) {
    this.database = database;
  }

  @Test
  void enter_findsNoPooler_whenThereIsNone() {
    ReachedPostgres reached = await(gate(PATIENCE).enter(database.endpoint()));

    assertThat(reached.pooler()).isEqualTo(Pooler.NONE);
    assertThat(reached.options().getCachePreparedStatements()).isTrue();
    assertThat(reached.options().getProperties()).containsEntry("statement_timeout", "30000ms");
  }

  @Test
  void store_hasOnePlanForPlainStatements_andOthersDoNot() {
    ReachedPostgres reached = await(gate(PATIENCE).enter(database.endpoint()));

    assertThat(reached.hasFixedPlans()).isTrue();
    assertThat(shown(reached.storeOptions()))
        .containsExactly("force_generic_plan", "off", "off", "off", "30s");
    assertThat(shown(reached.options())).startsWith("auto", "on", "on");
    assertThat(reached.storeOptions().getPreparedStatementCacheSqlFilter().test("x".repeat(8000)))
        .isTrue();
  }

  @Test
  void store_setsNothing_behindAPooler() {
    for (Pooler pooler : List.of(Pooler.TRANSACTION, Pooler.TRANSACTION_PREPARED)) {
      PostgresGate gate =
          new PostgresGate(
              database.vertx(),
              SessionConfig.defaults().with(pooler),
              PATIENCE,
              new Backoff(20, 100, new Random(5)),
              System::nanoTime);

      ReachedPostgres reached = await(gate.enter(database.endpoint()));

      assertThat(reached.hasFixedPlans()).isFalse();
      assertThat(reached.storeOptions().getProperties())
          .isEqualTo(reached.options().getProperties());
      assertThat(reached.storeOptions().getUseLayer7Proxy())
          .isEqualTo(pooler == Pooler.TRANSACTION);
    }
  }

  /** As a session of the store sees them. */
  private List<String> shown(PgConnectOptions options) {
    return Stream.of(
            "plan_cache_mode", "enable_seqscan", "enable_bitmapscan", "jit", "statement_timeout")
        .map(name -> show(options, name))
        .toList();
  }

  private String show(PgConnectOptions options, String name) {
    return await(
        PgConnection.connect(database.vertx(), options)
            .compose(
                connection ->
                    connection
                        .query("show " + name)
                        .execute()
                        .map(rows -> rows.iterator().next().getString(0))
                        .eventually(connection::close)));
  }

  @Test
  void enter_waits_whileThePortIsClosed() {
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.CLOSED)) {
      Future<ReachedPostgres> entering = gate(Duration.ofSeconds(60)).enter(proxy.endpoint());
      await().until(() -> proxy.connections() >= 2);
      assertThat(entering.isComplete()).isFalse();

      proxy.set(Fault.NONE);

      assertThat(await(entering).version()).isNotEmpty();
    }
  }

  @Test
  void enter_givesUp_whenThePortIsClosed() {
    PostgresEndpoint nobody;
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.CLOSED)) {
      nobody = proxy.endpoint();
    }

    Throwable failure = failureOf(gate(Duration.ofMillis(300)).enter(nobody));

    assertThat(failure)
        .isInstanceOf(PostgresUnreachableException.class)
        .hasMessageMatching(
            "PostgreSQL at \\S+@127.0.0.1:\\d+/test_\\d+ did not answer within \\d+ ms:"
                + " Connection refused.*");
  }

  @Test
  void enter_givesUp_whenServerStaysSilent() {
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.SILENT)) {
      Throwable failure = failureOf(gate(Duration.ZERO).enter(proxy.endpoint()));

      assertThat(failure).hasMessageContaining("did not answer within");
    }
  }

  @Test
  void enter_failsAtOnce_whenPasswordIsWrong() {
    PostgresEndpoint wrong =
        new PostgresEndpoint(
            database.endpoint().host(),
            database.endpoint().port(),
            database.endpoint().database(),
            database.endpoint().user(),
            new Secret("open-sesame-wrong"),
            database.endpoint().tls());

    Throwable failure = failureOf(gate(Duration.ofMinutes(1)).enter(wrong));

    assertThat(failure)
        .hasMessageContaining("refuses: password authentication failed")
        .hasMessageContaining("(28P01)")
        .message()
        .doesNotContain("open-sesame");
  }

  @Test
  void enter_saysSo_whenThereIsNoPassword() {
    PostgresEndpoint without =
        new PostgresEndpoint(
            database.endpoint().host(),
            database.endpoint().port(),
            database.endpoint().database(),
            database.endpoint().user(),
            new Secret(""),
            database.endpoint().tls());

    assertThat(failureOf(gate(Duration.ofMinutes(1)).enter(without)))
        .isInstanceOf(PostgresUnreachableException.class)
        .hasMessageContaining("asks for a password, but PG_PASSWORD is not set");
  }

  private PostgresGate gate(Duration patience) {
    SessionConfig usual = SessionConfig.defaults();
    SessionConfig quick =
        new SessionConfig(
            Duration.ofMillis(500),
            usual.statementTimeout(),
            usual.lockTimeout(),
            Pooler.AUTO,
            usual.pipeliningLimit());
    return new PostgresGate(
        database.vertx(), quick, patience, new Backoff(20, 100, new Random(3)), System::nanoTime);
  }
}
