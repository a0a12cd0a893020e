package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.process.Command;
import dev.queenmq.embedded.process.LaunchPlan;
import dev.queenmq.embedded.process.Launcher;
import dev.queenmq.embedded.process.LoopbackPort;
import dev.queenmq.embedded.process.PostmasterPidFile;
import dev.queenmq.embedded.process.ProcessIdentity;
import dev.queenmq.embedded.process.ServerProcesses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What killed processes leave behind, and what must never be touched. */
class RecoveryIT {

  @TempDir Path folder;

  private EmbeddedPostgresConfig prepared() {
    PreparedCluster.copyTo(folder);
    return TestFolders.config(folder);
  }

  @Test
  void start_recovers_afterPostgresWasKilled() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
      TestSql.run(first, "CREATE TABLE kept AS SELECT 42 AS answer");
      ProcessHandle.of(first.postmasterPid()).orElseThrow().destroyForcibly();
      first.exited().join();
    }
    try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
      assertThat(second.fresh()).isFalse();
      assertThat(TestSql.ask(second, "SELECT answer::text FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void postgres_endsByItself_afterJvmWasKilled() throws Exception {
    PreparedCluster.copyTo(folder);
    try (ChildJvm child = ChildJvm.start(folder)) {
      ProcessIdentity postmaster = ProcessIdentity.of(child.postmasterPid()).orElseThrow();
      child.kill();
      assertThat(postmaster.awaitEnd(Duration.ofSeconds(60))).isTrue();
    }
    try (EmbeddedPostgres next = EmbeddedPostgres.start(TestFolders.config(folder))) {
      assertThat(next.fresh()).isFalse();
    }
  }

  @Test
  void start_stopsPostgres_thatLostItsOwner() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    Process orphan = startWithoutOwner();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
      assertThat(orphan.isAlive()).isFalse();
      assertThat(postgres.postmasterPid()).isNotEqualTo(orphan.pid());
    } finally {
      orphan.destroyForcibly();
    }
  }

  private static PostgresInstallation installation() throws Exception {
    return PostgresInstallation.at(
        new BinariesCache(TestFolders.BINARIES).unpacked(BundledArchive.forThisMachine()));
  }

  /** A server on a folder whose lock is free, as after kill -9 of its JVM. */
  private Process startWithoutOwner() throws Exception {
    PostgresInstallation installation = installation();
    DataFolder data = DataFolder.open(folder);
    Launcher launcher =
        new LauncherChooser(installation.postgres(), data.root())
            .choose(Optional.empty())
            .launcher();
    LaunchPlan plan = new LaunchPlan(launcher, true, false);
    List<String> server =
        List.of(
            installation.postgres().toString(),
            "-D",
            data.cluster().toString(),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
            "-c",
            "port=" + LoopbackPort.anyFree());
    Process process =
        Command.prepare(plan.command("INT", server))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await()
        .until(
            () ->
                PostmasterPidFile.read(data.postmasterPidFile())
                    .filter(PostmasterPidFile::ready)
                    .isPresent());
    return process;
  }

  /** A session that never waits for anything does not notice that its postmaster is gone. */
  @Test
  void start_endsBusySession_thatOutlivedItsPostmaster() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    Vertx vertx = Vertx.vertx();
    try {
      Future<?> forever;
      try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
        forever = loopForever(vertx, first);
        ProcessHandle.of(first.postmasterPid()).orElseThrow().destroyForcibly();
        first.exited().join();
      }
      assertThat(forever.isComplete()).isFalse();
      try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
        assertThat(TestSql.ask(second, "SELECT 'alone'")).isEqualTo("alone");
        await().until(forever::failed);
      }
    } finally {
      TestSql.await(vertx.close());
    }
  }

  private static Future<?> loopForever(Vertx vertx, EmbeddedPostgres postgres) throws Exception {
    PgConnection busy =
        TestSql.await(PgConnection.connect(vertx, TestSql.options(postgres.address())));
    Future<?> forever = busy.query("DO $$ BEGIN LOOP END LOOP; END $$").execute();
    String running =
        "SELECT count(*)::text FROM pg_stat_activity"
            + " WHERE state = 'active' AND query LIKE 'DO %'";
    await().until(() -> TestSql.ask(postgres, running).equals("1"));
    return forever;
  }

  @Test
  void start_removesDatabase_thatWasNeverFinished() throws Exception {
    Path unfinished = Files.createDirectories(folder.resolve("postgres.new123/cluster"));
    Files.writeString(unfinished.resolve("PG_VERSION"), "18\n");
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(TestFolders.config(folder))) {
      assertThat(postgres.fresh()).isTrue();
      assertThat(unfinished.getParent()).doesNotExist();
    }
  }

  @Test
  void start_sparesStranger_whoseProcessIdIsInStaleFile() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    Process stranger = new ProcessBuilder("sleep", "300").start();
    try {
      Files.writeString(
          folder.resolve("postgres/postmaster.pid"),
          stranger.pid()
              + "\n"
              + folder.resolve("postgres")
              + "\n1\n5432\n\n127.0.0.1\n 1 1\nready   \n");
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
        assertThat(TestSql.ask(postgres, "SELECT 'alive'")).isEqualTo("alive");
        assertThat(stranger.isAlive()).isTrue();
      }
    } finally {
      stranger.destroyForcibly();
    }
  }

  /** Between the choice of a port and its use, anybody may take it. */
  @Test
  void start_takesAnotherPort_whenTheFirstIsTaken() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    DataFolder data = DataFolder.open(folder);
    PostgresInstallation installation = installation();
    LaunchPlan plan =
        new LauncherChooser(installation.postgres(), data.root()).choose(Optional.empty());
    try (ServerSocket quicker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LoopbackPort ports = new LoopbackPort(data.portFile(), port -> true);
      ports.remember(quicker.getLocalPort());
      ServerStart.Running running = new ServerStart(data, installation, plan, config, ports).run();
      running.postmaster().stop(Duration.ofSeconds(30));
      assertThat(running.port()).isNotEqualTo(quicker.getLocalPort());
      assertThat(ports.choose()).isEqualTo(running.port());
      assertNothingRuns();
    }
  }

  @Test
  void start_givesClearError_whenFolderIsInUse() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    try (EmbeddedPostgres owner = EmbeddedPostgres.start(config)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(config))
          .isInstanceOfSatisfying(
              EmbeddedPostgresException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.FOLDER_IN_USE))
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
      // The refusal must not have cost the owner its lock.
      try (ChildJvm other = ChildJvm.start(folder)) {
        assertThat(other.answer())
            .startsWith("FAILED FOLDER_IN_USE")
            .contains("process " + ProcessHandle.current().pid());
      }
      assertThat(TestSql.ask(owner, "SELECT 'untouched'")).isEqualTo("untouched");
    }
  }

  @Test
  void start_namesOtherProcess_whenThatOneOwnsTheFolder() throws Exception {
    PreparedCluster.copyTo(folder);
    try (ChildJvm owner = ChildJvm.start(folder)) {
      assertThat(owner.postmasterPid()).isPositive();
      assertThatThrownBy(() -> EmbeddedPostgres.start(TestFolders.config(folder)))
          .hasMessageContaining("in use by process " + owner.pid());
      Files.delete(folder.resolve("queen.owner"));
      assertThatThrownBy(() -> EmbeddedPostgres.start(TestFolders.config(folder)))
          .as("the system's lock alone is enough")
          .hasMessageContaining("in use by another process");
    }
  }

  @Test
  void start_showsLogAndLeavesNothing_whenPostgresRefuses() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    assertThatThrownBy(
            () -> EmbeddedPostgres.start(config.withSettings(Map.of("shared_buffers", "many"))))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.START_FAILED))
        .hasMessageContaining("invalid value for parameter \"shared_buffers\"");
    assertNothingRuns();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
      assertThat(TestSql.ask(postgres, "SELECT 'fine'")).isEqualTo("fine");
    }
  }

  @Test
  void start_refuses_whenUserSwitchedDurabilityOff() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    Path own = folder.resolve("postgresql.user.conf");
    Files.writeString(own, "fsync = off\n");
    assertNotDurable(config, "fsync = off");
    Files.writeString(own, "full_page_writes = off\n");
    assertNotDurable(config, "full_page_writes = off");
    Files.delete(own);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
      TestSql.run(postgres, "ALTER DATABASE queen SET synchronous_commit = off");
    }
    assertNotDurable(config, "synchronous_commit = off");
  }

  private void assertNotDurable(EmbeddedPostgresConfig config, String found) throws Exception {
    assertThatThrownBy(() -> EmbeddedPostgres.start(config))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NOT_DURABLE))
        .hasMessageContaining(found);
    assertNothingRuns();
  }

  private void assertNothingRuns() throws Exception {
    assertThat(new ServerProcesses(DataFolder.open(folder).cluster()).all()).isEmpty();
  }

  @Test
  void close_stopsAtOnce_whenFastShutdownHangs() throws Exception {
    EmbeddedPostgresConfig config =
        prepared().withTimeouts(Duration.ofMinutes(1), Duration.ofMillis(500));
    EmbeddedPostgres postgres = EmbeddedPostgres.start(config);
    long child =
        Long.parseLong(
            TestSql.ask(
                postgres,
                "SELECT pid::text FROM pg_stat_activity WHERE backend_type = 'checkpointer'"));
    assertThat(new ProcessBuilder("sh", "-c", "kill -STOP " + child).start().waitFor()).isZero();
    postgres.close();
    assertThat(ProcessHandle.of(postgres.postmasterPid())).isEmpty();
    try (EmbeddedPostgres next = EmbeddedPostgres.start(config)) {
      assertThat(TestSql.ask(next, "SELECT 'recovered'")).isEqualTo("recovered");
    }
  }

  @Test
  void start_givesClearError_whenFolderIsOfAnotherVersion() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    Files.writeString(folder.resolve("postgres/PG_VERSION"), "13\n");
    assertThatThrownBy(() -> EmbeddedPostgres.start(config))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_VERSION))
        .hasMessageContaining("made by PostgreSQL 13")
        .hasMessageContaining("this is PostgreSQL 18")
        .hasMessageContaining("QUEEN_PG_BIN");
  }
}
