package dev.queenmq.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from {@code /proc} on Linux is found without it. */
class WithoutProcTest {
  @TempDir private Path folder;

  @Test
  void user_isKnownWithoutProc() throws Exception {
    assertThat(CurrentUser.id(folder.resolve("missing"))).isEqualTo(CurrentUser.id());
  }

  @Test
  void postmaster_isKnownWithoutProc() throws Exception {
    Path cluster = Files.createDirectory(folder.resolve("cluster"));
    Path program = Files.copy(Path.of("/bin/sh"), folder.resolve("postgres"));
    // It waits for a line that does not come.
    Process process =
        new ProcessBuilder(program.toString(), "-c", "read line", "-D", cluster.toString()).start();
    try {
      Path missing = folder.resolve("missing");
      ServerProcesses own = new ServerProcesses(cluster, missing);
      ServerProcesses other = new ServerProcesses(folder, missing);

      assertThat(own.isPostmaster(process.pid())).isTrue();
      assertThat(own.all()).extracting(ProcessIdentity::pid).containsExactly(process.pid());
      assertThat(other.isPostmaster(process.pid())).isFalse();
      assertThat(other.all()).isEmpty();
      assertThat(own.isPostmaster(ProcessHandle.current().pid())).isFalse();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
