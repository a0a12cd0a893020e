package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

  @TempDir Path root;

  private DataFolder folder = new DataFolder(Path.of("/"));

  @BeforeEach
  void open() throws Exception {
    folder = DataFolder.open(root);
  }

  @Test
  void acquire_works_againAfterClose() throws Exception {
    folder.lock().close();
    assertThat(folder.ownerFile()).doesNotExist();
    folder.lock().close();
  }

  @Test
  void acquire_isRefused_whileHeldInTheSameProcess() throws Exception {
    try (FolderLock held = folder.lock()) {
      assertThat(held).isNotNull();
      assertThatThrownBy(() -> folder.lock())
          .isInstanceOfSatisfying(
              EmbeddedPostgresException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.FOLDER_IN_USE))
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
  }

  /** In a container, the process before us had our process id. */
  @Test
  void acquire_works_whenOwnerWasAnEarlierProcessWithOurProcessId() throws Exception {
    Files.writeString(folder.ownerFile(), ProcessHandle.current().pid() + " boot/1\n");
    folder.lock().close();
  }

  @Test
  void acquire_works_whenOwnerFileIsGarbage() throws Exception {
    Files.writeString(folder.ownerFile(), "\0");
    folder.lock().close();
  }

  @Test
  void open_givesClearError_whenSomethingElseIsInTheWay() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "");
    Path dangling = Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nowhere"));
    for (Path wrong : new Path[] {file, file.resolve("below"), dangling}) {
      assertThatThrownBy(() -> DataFolder.open(wrong))
          .isInstanceOfSatisfying(
              EmbeddedPostgresException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.FOLDER_UNUSABLE))
          .hasMessageContaining(wrong.toString())
          .hasMessageContaining("QUEEN_DATA_DIR");
    }
  }
}
