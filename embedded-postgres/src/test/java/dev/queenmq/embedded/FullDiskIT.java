package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room, made of a small file system in memory; needs the right to mount one. */
class FullDiskIT {

  @TempDir Path folder;

  private boolean mounted;

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(exitCode("umount", folder.toString())).isZero();
    }
  }

  private void mount(int megabytes) throws Exception {
    mounted =
        exitCode("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", "" + folder)
            == 0;
    assumeTrue(mounted, "may not mount");
  }

  private static int exitCode(String... words) throws IOException, InterruptedException {
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void start_givesClearErrorAndLeavesNothing_whenDatabaseDoesNotFit() throws Exception {
    mount(16);
    assertThatThrownBy(() -> EmbeddedPostgres.start(TestFolders.config(folder)))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("No space left on device")
        .hasMessageContaining(folder.toRealPath().toString());
    try (var left = Files.list(folder)) {
      assertThat(left.map(path -> "" + path.getFileName())).containsOnly("queen.lock");
    }
  }

  @Test
  void start_givesClearError_whenDiskFilledUpSince_andWorksAgainWhenThereIsRoom() throws Exception {
    mount(120);
    EmbeddedPostgresConfig config = TestFolders.config(folder);
    EmbeddedPostgres.start(config).close();
    Path filler = folder.resolve("filler");
    fill(filler);
    assertThatThrownBy(() -> EmbeddedPostgres.start(config))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("No space left on device");
    Files.delete(filler);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
      assertThat(postgres.fresh()).isFalse();
    }
  }

  private static void fill(Path filler) throws IOException {
    try (OutputStream output = Files.newOutputStream(filler)) {
      byte[] block = new byte[4096];
      while (true) {
        output.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }
}
