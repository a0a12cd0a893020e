package dev.queenmq.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.queenmq.embedded.process.CurrentUser;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderAccessTest {

  @TempDir private Path folder;

  @Test
  void missingFolder_isFine_andIsNotMade() {
    Path missing = folder.resolve("a/b/c");

    assertThatCode(() -> FolderAccess.check(missing)).doesNotThrowAnyException();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void file_isInTheWay() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "");

    for (Path path : new Path[] {file, file.resolve("b/c")}) {
      assertThatThrownBy(() -> FolderAccess.check(path))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("not a folder");
    }
  }

  @Test
  void folderThatMayNotBeWritten_isNamed() throws Exception {
    // Root may do everything.
    assumeThat(CurrentUser.isRoot()).isFalse();
    Path closed =
        Files.createDirectory(
            folder.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));

    assertThatThrownBy(() -> FolderAccess.check(closed.resolve("data")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage(closed.toString());
  }
}
