package dev.queenmq.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    Path notOurs = Files.createDirectories(root.resolve("run-of-something-else"));

    HostFolders again = HostFolders.in(root);

    assertThat(notOurs).exists();
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
  void processesThatStartTogether_doNotFailEachOther() throws Exception {
    int processes = 4;
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    try {
      for (int round = 0; round < 20; round++) {
        Path root = temporary.resolve("testkit-" + round);
        Path leftover = root.resolve("run-" + NOBODYS_PID + "-1");
        if (round % 2 == 0) {
          for (int i = 0; i < 100; i++) {
            Files.createFile(
                Files.createDirectories(leftover.resolve("data/" + i)).resolve("file"));
          }
        }
        CyclicBarrier together = new CyclicBarrier(processes);
        List<Future<Path>> starts = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
          starts.add(
              threads.submit(
                  () -> {
                    together.await();
                    return HostFolders.in(root).run();
                  }));
        }
        for (Future<Path> start : starts) {
          assertThat(start.get()).isDirectory();
        }
        HostFolders.in(root);
        assertThat(leftover).doesNotExist();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** As in a container that runs with a number for its user. */
  @Test
  void userWithoutAName_isTheOwner() throws IOException {
    String name = System.setProperty("user.name", "?");
    try {
      assertThat(HostFolders.in(temporary.resolve("testkit")).run()).isDirectory();
    } finally {
      System.setProperty("user.name", name);
    }
  }

  @Test
  void folderOfAnotherUser_isRefused() throws IOException {
    Path root = Files.createDirectory(temporary.resolve("testkit"));
    assumeTrue(Files.getAttribute(root, "unix:uid").equals(0), "only root can give it away");
    Files.setAttribute(root, "unix:uid", 12_345);

    assertThatThrownBy(() -> HostFolders.in(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another user");
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
