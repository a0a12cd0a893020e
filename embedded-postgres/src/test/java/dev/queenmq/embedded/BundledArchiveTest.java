package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class BundledArchiveTest {
  private static final byte[] CONTENT = "of a tar file".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  BundledArchiveTest() {}

  @Test
  void open_unpacksAFileInXz() throws Exception {
    Path file = folder.resolve("small.txz");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(file), new LZMA2Options(0))) {
      out.write(CONTENT);
    }
    assertThat(content(file.toUri().toURL())).isEqualTo(CONTENT);
  }

  @Test
  void open_readsAFileThatTheJarCompresses() throws Exception {
    Path jar = folder.resolve("some.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("small.tar"));
      out.write(CONTENT);
    }
    assertThat(content(URI.create("jar:" + jar.toUri() + "!/small.tar").toURL()))
        .isEqualTo(CONTENT);
  }

  private static byte[] content(URL url) throws IOException {
    try (InputStream in = new BundledArchive(url, "linux-small").open()) {
      return in.readAllBytes();
    }
  }
}
