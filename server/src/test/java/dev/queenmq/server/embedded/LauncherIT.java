package dev.queenmq.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.queenmq.server.embedded.EmbeddedPostgresException.Reason;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL for root, who may not run it, and for users of all kinds. Needs to be root itself. */
class LauncherIT {

  private static final int NAMELESS = 54321;

  @TempDir Path folder;

  @BeforeEach
  void needsRoot() throws Exception {
    assumeTrue(CurrentUser.isRoot(), "only root can become others");
    TestFolders.openToAll(folder);
  }

  @Test
  void start_works_inUserNamespace() throws Exception {
    Path data = folder.resolve("data");
    assumeTrue(new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(TestFolders.config(data).withLauncher(Launcher.USER_NAMESPACE))) {
      assertThat(TestSql.ask(postgres, "SELECT 'up'")).isEqualTo("up");
      assertThat(FileTree.owner(data.resolve("postgres/base"))).isZero();
    }
  }

  /** One folder, opened in turn by every launcher, as when a container is moved between hosts. */
  @Test
  void start_takesTheFolderOver_fromEveryOtherLauncher() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    EmbeddedPostgresConfig config = EmbeddedPostgresConfig.in(data);
    try (EmbeddedPostgres first = EmbeddedPostgres.start(config.withLauncher(Launcher.SETPRIV))) {
      TestSql.run(first, "CREATE TABLE kept AS SELECT 42 AS answer");
      assertThat(FileTree.owner(data.resolve("postgres/base"))).isEqualTo(Launcher.NOBODY);
    }
    for (Launcher launcher :
        List.of(Launcher.USER_NAMESPACE, Launcher.RUNUSER, Launcher.SU, Launcher.SETPRIV)) {
      try (EmbeddedPostgres next = EmbeddedPostgres.start(config.withLauncher(launcher))) {
        assertThat(TestSql.ask(next, "SELECT answer::text FROM kept"))
            .as("" + launcher)
            .isEqualTo("42");
      }
      assertThat(new ServerProcesses(data.resolve("postgres")).all()).as("" + launcher).isEmpty();
    }
  }

  @Test
  void start_opensClosedFolder_forTheUserItBecomes() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(EmbeddedPostgresConfig.in(data).withLauncher(Launcher.SETPRIV))) {
      assertThat(postgres.fresh()).isTrue();
    }
  }

  @Test
  void start_saysWhatToDo_whenRootCannotBecomeAnybody() throws Exception {
    assertThatThrownBy(
            () ->
                EmbeddedPostgres.start(
                    TestFolders.config(folder.resolve("data")).withLauncher(Launcher.DIRECT)))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NO_LAUNCHER))
        .hasMessageContaining("still root")
        .hasMessageContaining("ordinary user");
  }

  @Test
  void start_works_asOrdinaryUser() throws Exception {
    Path own = folderOf(Launcher.NOBODY);
    try (ChildJvm child = childOf(Launcher.NOBODY, own.resolve("data"))) {
      assertThat(child.answer()).startsWith("READY");
      assertThat(FileTree.owner(own.resolve("data/postgres/base"))).isEqualTo(Launcher.NOBODY);
    }
  }

  @Test
  void start_works_asUserWithoutName() throws Exception {
    Path own = folderOf(NAMELESS);
    try (ChildJvm child = childOf(NAMELESS, own.resolve("data"))) {
      assertThat(child.answer()).startsWith("READY");
      assertThat(FileTree.owner(own.resolve("data/postgres/base"))).isEqualTo(NAMELESS);
    }
  }

  @Test
  void start_givesClearError_whenFolderIsNotOurs() throws Exception {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    try (ChildJvm child = childOf(Launcher.NOBODY, foreign.resolve("data"))) {
      assertThat(child.answer())
          .startsWith("FAILED FOLDER_UNUSABLE")
          .contains("permission denied for " + foreign.toRealPath());
    }
    Path data = folderOf(Launcher.NOBODY);
    EmbeddedPostgres.start(TestFolders.config(data)).close();
    Files.delete(data.resolve("queen.lock"));
    Files.delete(data.resolve("postgres.log"));
    try (ChildJvm child = childOf(Launcher.NOBODY, data)) {
      assertThat(child.answer()).startsWith("FAILED FOLDER_UNUSABLE").contains("belongs to user 0");
    }
  }

  private Path folderOf(int user) throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    FileTree.chown(own, user);
    return own;
  }

  private ChildJvm childOf(int user, Path data) throws Exception {
    List<String> prefix =
        List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    return ChildJvm.start(prefix, readableClassPath(), data, data.resolve("binaries"));
  }

  /** A copy of our class path: the user's repository is usually closed to others. */
  private String readableClassPath() throws Exception {
    Path copies = Files.createDirectories(folder.resolve("classes"));
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path target = copies.resolve(Integer.toString(entries.size()));
      if (!Files.exists(target)) {
        copy(Path.of(entry), target);
      }
      entries.add(target.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copy(Path source, Path target) throws IOException {
    if (!Files.exists(source)) {
      return;
    }
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectory(target.resolve(source.relativize(from)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                from, from.equals(source) ? target : target.resolve(source.relativize(from)));
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
