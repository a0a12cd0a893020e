package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.migration.MigrationReport;
import dev.queenmq.server.migration.MigrationScripts;
import dev.queenmq.server.migration.MigrationSettings;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.testing.Empty;
import dev.queenmq.server.testing.PgBouncer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs where PgBouncer is installed, and is skipped elsewhere. */
@ExtendWith(PostgresExtension.class)
class PgBouncerIT {

  private final Backoff backoff = new Backoff(20, 100, new Random(5));

  @Test
  void everything_worksInTransactionMode(@Empty TestDatabase database, @TempDir Path folder)
      throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database.endpoint(), 2, folder)) {
      ReachedPostgres reached = await(gate(database).enter(pooler.endpoint()));
      assertThat(reached.pooler()).isEqualTo(Pooler.TRANSACTION);

      assertThat(migrate(database, reached).migrations()).hasSize(2);
      assertThat(migrate(database, reached).migrations()).isEmpty();

      askInterleaved(database, reached);
    }
  }

  @Test
  void backends_areNotCalledGone_whereProcessIdsAreThePoolers(
      TestDatabase database, @TempDir Path folder) throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database.endpoint(), 2, folder)) {
      ReachedPostgres reached = await(gate(database).enter(pooler.endpoint()));

      assertThat(await(backends(database, reached.options()).isGone(1))).isFalse();
      assertThat(await(backends(database, database.options()).isGone(1))).isTrue();
    }
  }

  private static Backends backends(TestDatabase database, PgConnectOptions options) {
    return new Backends(database.vertx(), options, Duration.ofSeconds(10));
  }

  /** More clients than server connections, so that each keeps changing hands. */
  private static void askInterleaved(TestDatabase database, ReachedPostgres reached) {
    List<SqlClient> clients =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    PgBuilder.client()
                        .using(database.vertx())
                        .connectingTo(reached.options())
                        .with(new PoolOptions().setMaxSize(1))
                        .build())
            .toList();
    List<Future<Integer>> answers =
        IntStream.range(0, 800)
            .mapToObj(
                i ->
                    clients
                        .get(i % clients.size())
                        .preparedQuery("select $1::int + " + i % 7)
                        .execute(Tuple.of(i))
                        .map(rows -> rows.iterator().next().getInteger(0)))
            .toList();

    await(Future.all(answers));
    IntStream.range(0, answers.size())
        .forEach(i -> assertThat(answers.get(i).result()).isEqualTo(i + i % 7));
    await(Future.all(clients.stream().map(SqlClient::close).toList()));
  }

  private MigrationReport migrate(TestDatabase database, ReachedPostgres reached) {
    MigrationScripts scripts = MigrationScripts.load(PgBouncerIT.class, "scripts");
    return await(
        new Migrations(
                database.vertx(), scripts, MigrationSettings.defaults(), backoff, System::nanoTime)
            .run(reached.options()));
  }

  private PostgresGate gate(TestDatabase database) {
    return new PostgresGate(
        database.vertx(),
        SessionConfig.defaults(),
        Duration.ofSeconds(20),
        backoff,
        System::nanoTime);
  }
}
