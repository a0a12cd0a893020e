package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileTree;
import dev.queenmq.embedded.process.CurrentUser;
import dev.queenmq.embedded.process.Launcher;
import dev.queenmq.embedded.process.ProcessIdentity;
import dev.queenmq.embedded.process.ServerProcesses;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL for root, who may not run it, and for users of all kinds. Needs to be root itself. */
class LauncherIT {

  private static final int NAMELESS = 54321;

  @TempDir static Path shared;
  @TempDir Path folder;

  @BeforeAll
  static void needsRoot() throws Exception {
    assumeTrue(CurrentUser.isRoot(), "only root can become others");
    TestFolders.openToAll(shared);
    copyClassPath();
    Path bundled = PreparedCluster.bin().resolve("..").normalize();
    Files.createDirectory(binaries());
    TestFolders.openToAll(binaries());
    PreparedCluster.copy(bundled, binaries().resolve(TestFolders.BINARIES.relativize(bundled)));
  }

  @BeforeEach
  void openFolder() throws Exception {
    TestFolders.openToAll(folder);
  }

  @Test
  void start_works_inUserNamespace() throws Exception {
    Path data = folder.resolve("data");
    assumeTrue(new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(config(data).withLauncher(Launcher.USER_NAMESPACE))) {
      assertThat(TestSql.ask(postgres, "SELECT 'up'")).isEqualTo("up");
      assertThat(FileTree.owner(data.resolve("postgres/base"))).isZero();
    }
  }

  /** One folder, opened in turn by every launcher, as when a container is moved between hosts. */
  @Test
  void start_takesTheFolderOver_fromEveryOtherLauncher() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    PreparedCluster.copyTo(data);
    EmbeddedPostgresConfig config = config(data);
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

  /** The launchers that fork give PostgreSQL no death signal: it really stays behind. */
  @Test
  void start_stopsPostgres_leftByKilledJvm() throws Exception {
    Path data = folder.resolve("data");
    PreparedCluster.copyTo(data);
    try (ChildJvm child =
        ChildJvm.start(
            List.of(), System.getProperty("java.class.path"), data, binaries(), "runuser")) {
      ProcessIdentity orphan = ProcessIdentity.of(child.postmasterPid()).orElseThrow();
      child.kill();
      assertThat(orphan.isAlive()).isTrue();
      try (EmbeddedPostgres next = EmbeddedPostgres.start(config(data))) {
        assertThat(orphan.isAlive()).isFalse();
        assertThat(next.fresh()).isFalse();
      }
    }
  }

  @Test
  void start_opensClosedFolder_forTheUserItBecomes() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(config(data).withLauncher(Launcher.SETPRIV))) {
      assertThat(postgres.fresh()).isTrue();
    }
  }

  @Test
  void start_saysWhatToDo_whenRootCannotChangeUser() throws Exception {
    assertThatThrownBy(
            () ->
                EmbeddedPostgres.start(
                    config(folder.resolve("data")).withLauncher(Launcher.DIRECT)))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NO_LAUNCHER))
        .hasMessageContaining("still root")
        .hasMessageContaining("ordinary user");
  }

  @Test
  void start_works_asOrdinaryUser() throws Exception {
    Path own = folderOf(Launcher.NOBODY);
    Path data = own.resolve("data");
    try (ChildJvm child = childOf(Launcher.NOBODY, data, data.resolve("binaries"))) {
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
    PreparedCluster.copyTo(data);
    try (ChildJvm child = childOf(Launcher.NOBODY, data)) {
      assertThat(child.answer()).startsWith("FAILED FOLDER_UNUSABLE").contains("belongs to user 0");
    }
  }

  private Path folderOf(int user) throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    FileTree.chown(own, user);
    return own;
  }

  private static Path binaries() {
    return shared.resolve("binaries");
  }

  /** With programs where every user can reach them. */
  private static EmbeddedPostgresConfig config(Path data) {
    return EmbeddedPostgresConfig.in(data).withBinariesCache(binaries());
  }

  private static ChildJvm childOf(int user, Path data) throws Exception {
    return childOf(user, data, binaries());
  }

  private static ChildJvm childOf(int user, Path data, Path cache) throws Exception {
    List<String> prefix =
        List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    try (Stream<Path> copies = Files.list(shared.resolve("classes"))) {
      String classPath =
          copies.sorted().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
      return ChildJvm.start(prefix, classPath, data, cache);
    }
  }

  /** Our own class path is usually closed to others. */
  private static void copyClassPath() throws IOException {
    Path copies = Files.createDirectory(shared.resolve("classes"));
    int number = 1000;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      copy(Path.of(entry), copies.resolve(Integer.toString(number++)));
    }
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
