package dev.queenmq.server.migration;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.testing.Empty;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("oldest-postgres")
@ExtendWith(PostgresExtension.class)
class MigrationsIT {

  private static final MigrationScripts SHIPPED =
      MigrationScripts.load(MigrationsIT.class, "scripts");
  private static final MigrationSettings QUICK =
      MigrationSettings.defaults()
          .withLockTimeout(Duration.ofMillis(150))
          .withDeadline(Duration.ofSeconds(60));

  private static final Backoff BACKOFF = new Backoff(20, 200, new Random(7));

  private TestDatabase database;

  @BeforeEach
  void freshDatabase(@Empty TestDatabase database) {
    this.database = database;
  }

  @Test
  void run_appliesEverythingOnce() {
    MigrationReport first = await(run(SHIPPED));
    MigrationReport second = await(run(SHIPPED));

    assertThat(first.migrations()).containsExactly("001_first.sql", "002_second.sql");
    assertThat(first.procedures()).containsExactly("answer_v1");
    assertThat(second.migrations()).isEmpty();
    assertThat(second.procedures()).isEmpty();
    assertThat(database.value("select count(*) from queen.second")).isEqualTo(3L);
    assertThat(database.value("select queen.answer_v1()")).isEqualTo(42);
  }

  @Test
  void run_leavesNothingBehind_whenThereIsNothingToApply() {
    MigrationReport report = await(run(scripts(List.of(), List.of())));

    assertThat(report.migrations()).isEmpty();
    assertThat(database.value("select to_regnamespace('queen') is null")).isEqualTo(true);
  }

  @RepeatedTest(5)
  void run_appliesEachStepOnce_whenEightBrokersStartTogether() {
    List<Future<MigrationReport>> brokers =
        IntStream.range(0, 8)
            .mapToObj(broker -> runWith(SHIPPED, MigrationSettings.defaults()))
            .toList();

    await(Future.all(brokers));

    assertThat(brokers.stream().flatMap(broker -> broker.result().migrations().stream()))
        .containsExactlyInAnyOrder("001_first.sql", "002_second.sql");
    assertThat(brokers.stream().flatMap(broker -> broker.result().procedures().stream()))
        .containsExactly("answer_v1");
    assertThat(database.value("select count(*) from queen.second")).isEqualTo(3L);
  }

  @Test
  void run_retries_whenTableIsLocked() {
    await(run(SHIPPED));
    PgConnection holder = database.connect();
    await(holder.query("begin; lock table queen.first in access exclusive mode").execute());

    Future<MigrationReport> run = run(withThird("alter table queen.first add column note text;"));
    await().until(() -> waitsForLock("alter table queen.first%"));
    await().until(() -> !waitsForLock("alter table queen.first%"));
    assertThat(run.isComplete()).isFalse();
    await(holder.query("commit").execute().eventually(holder::close));

    MigrationReport report = await(run);
    assertThat(report.migrations()).containsExactly("003_third.sql");
    assertThat(report.retries()).isPositive();
  }

  @Test
  void run_saysWhichStepWaited_whenTableStaysLocked() {
    await(run(SHIPPED));
    PgConnection holder = database.connect();
    await(holder.query("begin; lock table queen.first in access exclusive mode").execute());

    Throwable failure =
        failureOf(
            runWith(
                withThird("alter table queen.first add column note text;"),
                QUICK.withDeadline(Duration.ofSeconds(3))));
    await(holder.query("rollback").execute().eventually(holder::close));

    assertThat(failure)
        .isInstanceOf(MigrationException.class)
        .hasMessageStartingWith("gave up migrating after ")
        .hasMessageContaining("migration 003_third.sql failed")
        .hasMessageContaining("lock timeout (55P03)");
  }

  @Test
  void run_refuses_whenAppliedMigrationWasEdited() {
    await(run(withThird("create table queen.third (id integer);")));

    Throwable failure = failureOf(run(withThird("create table queen.third (id bigint);")));

    assertThat(failure)
        .hasMessage(
            "migration 003_third.sql was edited after it was applied as 003_third.sql;"
                + " restore it and write a new one");
  }

  @Test
  void run_replacesProcedure_whenRevisionIsHigher() {
    await(run(scripts(List.of(), List.of(answer(1, 10)))));

    MigrationReport report = await(run(scripts(List.of(), List.of(answer(2, 20)))));

    assertThat(report.procedures()).containsExactly("answer_v1");
    assertThat(database.value("select queen.answer_v1()")).isEqualTo(20);
  }

  @Test
  void run_leavesProcedureAlone_whenRevisionIsLower() {
    await(run(scripts(List.of(), List.of(answer(2, 20)))));

    MigrationReport report = await(run(scripts(List.of(), List.of(answer(1, 10)))));

    assertThat(report.procedures()).isEmpty();
    assertThat(database.value("select queen.answer_v1()")).isEqualTo(20);
  }

  @Test
  void run_refuses_whenProcedureWasEditedWithoutRaisingItsRevision() {
    await(run(scripts(List.of(), List.of(answer(1, 10)))));

    Throwable failure = failureOf(run(scripts(List.of(), List.of(answer(1, 11)))));

    assertThat(failure)
        .hasMessage("procedure answer_v1.sql was edited without raising its revision (1)");
    assertThat(database.value("select queen.answer_v1()")).isEqualTo(10);
  }

  @Test
  void run_leavesAllProceduresAsTheyWere_whenOneOfThemIsWrong() {
    await(run(scripts(List.of(), List.of(answer(1, 10)))));
    ScriptFile wrong =
        new ScriptFile(
            "wrong_v1.sql",
            """
            -- revision: 1
            create or replace function queen.wrong_v1() returns integer language sql as 'select';
            """);

    Throwable failure = failureOf(run(scripts(List.of(), List.of(answer(2, 20), wrong))));

    assertThat(failure).hasMessageStartingWith("procedure wrong_v1 revision 1 failed");
    assertThat(database.value("select queen.answer_v1()")).isEqualTo(10);
    assertThat(database.value("select revision from queen.schema_procedures")).isEqualTo(1);
  }

  /** Versions start at 1 again, and early snapshots had functions with these names. */
  @Test
  void bundled_replacesFirstVersionsOfEarlierSnapshots_andLeavesTheirLaterOnes() {
    List<ScriptFile> earlier =
        new ScriptFolder(MigrationScripts.class)
            .list("db/migrations").stream()
                .filter(file -> file.name().compareTo("024") < 0)
                .toList();
    await(run(scripts(earlier, List.of())));
    database.query(
        """
        create function queen.push_v1(integer) returns integer language sql as 'select 1';
        create function queen.push_v2(integer) returns integer language sql as 'select 2';
        insert into queen.schema_procedures (name, revision, checksum)
        values ('push_v1', 1, 'another'), ('push_v2', 7, 'another');
        """);

    MigrationReport report = await(run(MigrationScripts.bundled()));

    assertThat(report.procedures()).contains("push_v1");
    assertThat(
            database.value(
                "select string_agg(oid::regprocedure::text, ' ' order by proname) from pg_proc"
                    + " where pronamespace = 'queen'::regnamespace and proname like 'push\\_v%'"))
        .isEqualTo("push_v1(smallint,push_request_v1) push_v2(integer)");
    assertThat(database.value("select queen.push_v2(0)")).isEqualTo(2);
  }

  @Test
  void run_acceptsMigrationsOfNewerRelease() {
    await(run(withThird("create table queen.third (id integer);")));

    MigrationReport report = await(run(SHIPPED));

    assertThat(report.migrations()).isEmpty();
    assertThat(report.newer()).containsExactly("003_third.sql");
  }

  @Test
  void run_resumes_whenConnectionIsTerminatedHalfWay() {
    MigrationScripts slow =
        withThird("create table queen.third (id integer); select pg_sleep(300);");
    MigrationScripts fast = withThird("create table queen.third (id integer);");
    Future<MigrationReport> run = runWith(slow, QUICK.withDeadline(Duration.ZERO));
    await().until(() -> terminated("create table queen.third%"));

    assertThat(failureOf(run))
        .hasMessageStartingWith("gave up migrating after ")
        .hasMessageContaining("migration 003_third.sql failed");
    assertThat(database.value("select to_regclass('queen.third') is null")).isEqualTo(true);
    assertThat(await(run(fast)).migrations()).containsExactly("003_third.sql");
  }

  @Test
  void run_triesAgainByItself_whenConnectionIsTerminatedHalfWay() {
    MigrationScripts slow =
        withThird(
            """
            create table queen.third (id integer);
            select pg_sleep(case when current_setting('queen.calm', true) = 'yes' then 0 else 300 end);
            """);
    Future<MigrationReport> run = run(slow);
    await().until(() -> runs("create table queen.third%"));
    database.query(
        "alter database %s set queen.calm = 'yes'".formatted(database.endpoint().database()));
    await().until(() -> terminated("create table queen.third%"));

    MigrationReport report = await(run);
    assertThat(report.migrations())
        .containsExactly("001_first.sql", "002_second.sql", "003_third.sql");
    assertThat(report.retries()).isEqualTo(1);
  }

  @Test
  void run_namesFileAndLine_whenScriptIsWrong() {
    Throwable failure =
        failureOf(
            run(withThird("-- fine\ncreate table queen.third (id integer);\nselect nonsense;")));

    assertThat(failure)
        .hasMessage(
            "migration 003_third.sql failed in line 3: column \"nonsense\" does not exist (42703)");
    assertThat(database.value("select to_regclass('queen.third') is null")).isEqualTo(true);
    assertThat(database.value("select count(*) from queen.schema_migrations")).isEqualTo(2L);
  }

  @Test
  void run_refusesScriptThatForgetsItsSchema() {
    Throwable failure = failureOf(run(withThird("create table third (id integer);")));

    assertThat(failure).hasMessageContaining("no schema has been selected to create in");
  }

  @Test
  void run_neverTellsThePassword() {
    var options = database.options().setPassword("open-sesame-wrong");

    Throwable failure =
        failureOf(
            new Migrations(database.vertx(), SHIPPED, QUICK, BACKOFF, System::nanoTime)
                .run(options));

    assertThat(failure).hasMessageContaining("28P01");
    assertThat(failure.toString() + failure.getCause()).doesNotContain("open-sesame-wrong");
  }

  private Future<MigrationReport> run(MigrationScripts scripts) {
    return runWith(scripts, QUICK);
  }

  private Future<MigrationReport> runWith(MigrationScripts scripts, MigrationSettings settings) {
    return new Migrations(database.vertx(), scripts, settings, BACKOFF, System::nanoTime)
        .run(database.options());
  }

  private boolean waitsForLock(String statement) {
    return (boolean)
        database.value(
            "select exists (select from pg_stat_activity where datname = current_database()"
                + " and wait_event_type = 'Lock' and query like '%s')".formatted(statement));
  }

  private boolean runs(String statement) {
    return (boolean)
        database.value(
            "select exists (select from pg_stat_activity where datname = current_database()"
                + " and state = 'active' and pid <> pg_backend_pid() and query like '%s')"
                    .formatted(statement));
  }

  /** Ends the connection that runs such a statement, once there is one. */
  private boolean terminated(String statement) {
    return !database
        .query(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                + " and datname = current_database() and state = 'active' and query like '%s'"
                    .formatted(statement))
        .isEmpty();
  }

  private static MigrationScripts withThird(String sql) {
    ScriptFolder shipped = new ScriptFolder(MigrationsIT.class);
    List<ScriptFile> migrations =
        Stream.concat(
                shipped.list("scripts/migrations").stream(),
                Stream.of(new ScriptFile("003_third.sql", sql)))
            .toList();
    return scripts(migrations, List.of());
  }

  private static MigrationScripts scripts(
      List<ScriptFile> migrations, List<ScriptFile> procedures) {
    return MigrationScripts.of(migrations, procedures);
  }

  private static ScriptFile answer(int revision, int answer) {
    return new ScriptFile(
        "answer_v1.sql",
        """
        -- revision: %d
        create or replace function queen.answer_v1() returns integer language sql as 'select %d';
        """
            .formatted(revision, answer));
  }
}
