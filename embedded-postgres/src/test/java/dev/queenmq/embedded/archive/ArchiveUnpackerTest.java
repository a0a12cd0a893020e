package dev.queenmq.embedded.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveUnpackerTest {

  @TempDir Path folder;

  @Test
  void unpack_keepsLinks_andLetsAllUsersReadAndRun() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = tar(packed)) {
      add(tar, "./bin/program", 0700);
      add(tar, "./share/text", 0600);
      TarArchiveEntry link = new TarArchiveEntry("./bin/link", TarConstants.LF_SYMLINK);
      link.setLinkName("program");
      tar.putArchiveEntry(link);
      tar.closeArchiveEntry();
    }
    Path target = folder.resolve("target");
    ArchiveUnpacker.unpack(input(packed), target);
    assertThat(mode(target.resolve("bin"))).isEqualTo("rwxr-xr-x");
    assertThat(mode(target.resolve("bin/program"))).isEqualTo("rwxr-xr-x");
    assertThat(mode(target.resolve("share/text"))).isEqualTo("rw-r--r--");
    assertThat(Files.readSymbolicLink(target.resolve("bin/link"))).hasToString("program");
    assertThat(target.resolve("bin/link")).hasContent("./bin/program");
  }

  @Test
  void unpack_refusesToLeaveItsFolder() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = tar(packed)) {
      add(tar, "../outside", 0600);
    }
    assertThatThrownBy(() -> ArchiveUnpacker.unpack(input(packed), folder.resolve("target")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("outside");
    assertThat(folder.resolve("outside")).doesNotExist();
  }

  private static TarArchiveOutputStream tar(ByteArrayOutputStream packed) {
    return new TarArchiveOutputStream(packed);
  }

  private static void add(TarArchiveOutputStream tar, String name, int mode) throws IOException {
    byte[] content = name.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setMode(mode);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private static InputStream input(ByteArrayOutputStream packed) {
    return new ByteArrayInputStream(packed.toByteArray());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
