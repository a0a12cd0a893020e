package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What differs where there is no Linux with glibc, as far as it can be tried on Linux. */
class OtherPlatformsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, false, linux-x86_64",
    "Linux, aarch64, false, linux-arm_64",
    "Linux, amd64, true, linux-x86_64-alpine_linux",
    "Linux, aarch64, true, linux-arm_64-alpine_linux",
    "Mac OS X, x86_64, false, darwin-x86_64",
    "Mac OS X, aarch64, false, darwin-arm_64",
  })
  void platforms_areNamedAsTheArchivesAre(
      String system, String processor, boolean alpine, String name) {
    assertThat(BundledArchive.platform(system, processor, alpine)).isEqualTo(name);
  }

  /** No build for Linux has an archive for these. */
  @ParameterizedTest
  @CsvSource({
    "Mac OS X, riscv64, false, brew --prefix postgresql@18",
    "Linux, riscv64, true, apk add postgresql18",
    "Linux, riscv64, false, QUEEN_PG_BIN",
    "Windows 11, amd64, false, WSL",
  })
  void missingArchive_isToldInOneLine_withWhatToDo(
      String system, String processor, boolean alpine, String advice) {
    assertThatThrownBy(() -> BundledArchive.forMachine(system, processor, alpine))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(advice)
        .hasMessageContaining("PG_HOST")
        .satisfies(failure -> assertThat(failure).message().hasLineCount(1));
  }

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
