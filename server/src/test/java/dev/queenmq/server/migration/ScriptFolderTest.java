package dev.queenmq.server.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptFolderTest {

  @Test
  void list_readsFolderOnTheClassPath() {
    List<ScriptFile> files = new ScriptFolder(ScriptFolderTest.class).list("scripts/migrations");

    assertThat(files)
        .extracting(ScriptFile::name)
        .containsExactly("001_first.sql", "002_second.sql");
    assertThat(files.get(0).sql()).contains("create table queen.first");
  }

  @Test
  void list_isEmpty_whenFolderIsAbsent() {
    assertThat(new ScriptFolder(ScriptFolderTest.class).list("scripts/absent")).isEmpty();
  }

  /** Some packagers write no entries for folders, so neither does this. */
  @Test
  void list_readsJar(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("with space.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      add(
          entries,
          classFile(Anchor.class),
          Anchor.class.getResourceAsStream("/" + classFile(Anchor.class)).readAllBytes());
      add(entries, "db/migrations/002_b.sql", "select 2;".getBytes(StandardCharsets.UTF_8));
      add(entries, "db/migrations/001_a.sql", "select 1;".getBytes(StandardCharsets.UTF_8));
      add(entries, "db/migrations/README.md", "no script".getBytes(StandardCharsets.UTF_8));
    }
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      Class<?> anchor = loader.loadClass(Anchor.class.getName());

      List<ScriptFile> files = new ScriptFolder(anchor).list("db/migrations");

      assertThat(files)
          .containsExactly(
              new ScriptFile("001_a.sql", "select 1;"), new ScriptFile("002_b.sql", "select 2;"));
      assertThat(new ScriptFolder(anchor).list("db/procedures")).isEmpty();
    }
  }

  private static String classFile(Class<?> type) {
    return type.getName().replace('.', '/') + ".class";
  }

  private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  /** Loaded a second time, from the jar. */
  static final class Anchor {}
}
