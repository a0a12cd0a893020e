package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.embedded.process.LoopbackPort;
import io.vertx.pgclient.PgException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, stopping and starting again, as every user does it. */
class EmbeddedPostgresIT {

  @TempDir Path folder;

  /** Where it does not matter how the database came to be. */
  private EmbeddedPostgresConfig prepared() {
    PreparedCluster.copyTo(folder);
    return TestFolders.config(folder);
  }

  @Test
  void start_createsDatabaseOnce_andFindsItAgain() throws Exception {
    EmbeddedPostgresConfig config = TestFolders.config(folder);
    PostgresAddress address;
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
      assertThat(first.fresh()).isTrue();
      assertThat(first.version()).startsWith("18.");
      address = first.address();
      TestSql.run(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    }
    try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
      assertThat(second.fresh()).isFalse();
      assertThat(second.address()).isEqualTo(address);
      assertThat(TestSql.ask(second, "SELECT answer::text FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void start_isDurableAndClosedToOthers() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(prepared())) {
      for (String setting :
          List.of("fsync", "full_page_writes", "synchronous_commit", "data_checksums")) {
        assertThat(TestSql.ask(postgres, "SHOW " + setting)).as(setting).isEqualTo("on");
      }
      Map<String, String> expected =
          Map.of(
              "server_encoding", "UTF8",
              "lc_collate", "C",
              "timezone", "UTC",
              "listen_addresses", "127.0.0.1",
              "unix_socket_directories", "",
              "password_encryption", "scram-sha-256");
      for (Map.Entry<String, String> entry : expected.entrySet()) {
        String found =
            entry.getKey().equals("lc_collate")
                ? TestSql.ask(
                    postgres, "SELECT datcollate::text FROM pg_database WHERE datname = 'queen'")
                : TestSql.ask(postgres, "SHOW " + entry.getKey());
        assertThat(found).as(entry.getKey()).isEqualTo(entry.getValue());
      }
      assertThat(
              TestSql.ask(
                  postgres, "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules"))
          .isEqualTo("scram-sha-256");
      assertThat(listeningAddresses(postgres.address().port())).containsOnly("0100007F");
    }
  }

  @Test
  void start_staysOnLoopback_whateverIsConfigured() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
      TestSql.run(first, "ALTER SYSTEM SET listen_addresses = '*'");
    }
    Files.writeString(folder.resolve("postgresql.user.conf"), "listen_addresses = '0.0.0.0'\n");
    try (EmbeddedPostgres second =
        EmbeddedPostgres.start(config.withSettings(Map.of("listen_addresses", "*")))) {
      assertThat(listeningAddresses(second.address().port())).containsOnly("0100007F");
    }
  }

  /** The addresses, in the kernel's hexadecimal form, on which a port is listened to. */
  private static List<String> listeningAddresses(int port) throws Exception {
    String suffix = String.format(Locale.ROOT, ":%04X", port);
    List<String> lines = Files.readAllLines(Path.of("/proc/net/tcp"));
    if (Files.exists(Path.of("/proc/net/tcp6"))) {
      lines.addAll(Files.readAllLines(Path.of("/proc/net/tcp6")));
    }
    return lines.stream()
        .map(line -> line.strip().split("\\s+", -1))
        .filter(words -> words[1].endsWith(suffix) && words[3].equals("0A"))
        .map(words -> words[1].substring(0, words[1].length() - suffix.length()))
        .toList();
  }

  @Test
  void start_makesFilesForItsUserOnly() throws Exception {
    Path data = folder.resolve("above/data");
    try (ClaimedFolder claimed = ClaimedFolder.of(EmbeddedPostgresConfig.in(data))) {
      assertThat(claimed).isNotNull();
      new LoopbackPort(data.resolve("postgres.port"), port -> true).remember(1);
      assertThat(permissions(data)).isEqualTo("rwx------");
      for (String name : List.of("queen.lock", "queen.owner", "postgres.port")) {
        assertThat(permissions(data.resolve(name))).as(name).isEqualTo("rw-------");
      }
    }
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void start_keepsPasswordSecret() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(prepared())) {
      PostgresAddress address = postgres.address();
      assertThat(address.password()).hasSizeGreaterThan(30);
      assertThat(address.toString()).doesNotContain(address.password());
      Path file = folder.resolve("postgres/queen.password");
      assertThat(Files.readString(file)).contains(address.password());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      for (String source : List.of("cmdline", "environ")) {
        assertThat(Files.readString(Path.of("/proc/" + postgres.postmasterPid(), source)))
            .doesNotContain(address.password());
      }
      PostgresAddress wrong =
          new PostgresAddress(address.host(), address.port(), "queen", "queen", "guessed");
      assertThatThrownBy(() -> TestSql.execute(wrong, "SELECT 1"))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(PgException.class)
          .hasMessageContaining("28P01");
    }
  }

  @Test
  void start_takesAnotherPort_whenTheOldOneIsTaken() throws Exception {
    EmbeddedPostgresConfig config = prepared();
    int port;
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
      port = first.address().port();
    }
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
      assertThat(second.address().port()).isNotEqualTo(taken.getLocalPort());
      assertThat(TestSql.ask(second, "SHOW port")).isEqualTo("" + second.address().port());
    }
  }

  /**
   * A Ctrl-C goes to everything in the terminal's session; ours must end first, then PostgreSQL.
   */
  @Test
  void start_keepsPostgresOutOfOurTerminal() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(prepared())) {
      String stat = Files.readString(Path.of("/proc/" + postgres.postmasterPid() + "/stat"));
      String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
      assertThat(session).isEqualTo("" + postgres.postmasterPid());
    }
  }

  @Test
  void start_works_withSpacesQuotesLinksAndRelativePaths() throws Exception {
    Path real = Files.createDirectory(folder.resolve("Jo's data $HOME"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    Path relative = Path.of("").toAbsolutePath().relativize(link);
    Files.writeString(real.resolve("postgresql.user.conf"), "work_mem = '7MB'\n");
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(TestFolders.config(relative))) {
      assertThat(TestSql.ask(postgres, "SHOW work_mem")).isEqualTo("7MB");
      assertThat(TestSql.ask(postgres, "SHOW data_directory"))
          .isEqualTo(real.toRealPath().resolve("postgres").toString());
      assertThatThrownBy(() -> EmbeddedPostgres.start(TestFolders.config(real)))
          .isInstanceOf(EmbeddedPostgresException.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void close_isOrderly_inAnInterruptedThread() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(prepared());
    Thread.currentThread().interrupt();
    postgres.close();
    assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
    assertThat(Files.readString(folder.resolve("postgres.log")))
        .contains("database system is shut down");
  }

  @Test
  void close_isQuiet_whenRepeated() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(prepared());
    postgres.close();
    assertThatCode(postgres::close).doesNotThrowAnyException();
    assertThat(ProcessHandle.of(postgres.postmasterPid())).isEmpty();
    assertThat(postgres.exited()).succeedsWithin(Duration.ofSeconds(60));
  }
}
