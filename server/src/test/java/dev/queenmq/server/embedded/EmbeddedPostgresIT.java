package dev.queenmq.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, stopping and starting again, as every user does it. */
class EmbeddedPostgresIT {

  @TempDir Path folder;

  @Test
  void start_createsDatabaseOnce_andFindsItAgain() throws Exception {
    EmbeddedPostgresConfig config = TestFolders.config(folder);
    int port;
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
      assertThat(first.fresh()).isTrue();
      assertThat(first.version()).startsWith("18.");
      port = first.address().port();
      TestSql.run(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    }
    try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
      assertThat(second.fresh()).isFalse();
      assertThat(second.address().port()).isEqualTo(port);
      assertThat(TestSql.ask(second, "SELECT answer::text FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void close_isQuiet_whenRepeated() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(TestFolders.config(folder));
    postgres.close();
    assertThatCode(postgres::close).doesNotThrowAnyException();
    assertThat(ProcessHandle.of(postgres.postmasterPid())).isEmpty();
    assertThat(postgres.exited()).isCompleted();
  }
}
