package dev.queenmq.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFoldersTest {
  private static final long NOBODYS_PID = 4_000_000_000L;

  @TempDir private Path temporary;

  @Test
  void leftoversOfEndedProcesses_areRemoved_andNoOthers() throws IOException {
    Path root = temporary.resolve("testkit");
    Path own = HostFolders.in(root).run();
    Files.writeString(own.resolve("file"), "own");
    Path ended = Files.createDirectories(root.resolve("run-" + NOBODYS_PID + "-1/data"));
    // The same number as a process that runs, which began at another time.
    Path reused =
        Files.createDirectories(root.resolve("run-" + ProcessHandle.current().pid() + "-1"));

    HostFolders again = HostFolders.in(root);

    assertThat(ended.getParent()).doesNotExist();
    assertThat(reused).doesNotExist();
    assertThat(again.run().resolve("file")).exists();
    again.removeRun();
    assertThat(own).doesNotExist();
    assertThat(root).exists();
  }

  /** Linux does not tell the same moment each time. */
  @Test
  void folderOfALivingProcess_stays_ifItsStartIsReadABitLater() throws IOException {
    Path root = temporary.resolve("testkit");
    HostFolders.in(root);
    long pid = ProcessHandle.current().pid();
    long start = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
    Path living = Files.createDirectories(root.resolve("run-" + pid + "-" + (start + 1_010)));

    HostFolders.in(root);

    assertThat(living).exists();
  }

  @Test
  void folderThatOthersMayWrite_isRefused() throws IOException {
    Path root = Files.createDirectory(temporary.resolve("testkit"));
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> HostFolders.in(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("-Dqueen.testkit.folder");
  }
}
