package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
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

  @Test
  void open_refusesADamagedFile() throws Exception {
    Path jar = folder.resolve("damaged.jar");
    CRC32 sum = new CRC32();
    sum.update(CONTENT);
    ZipEntry entry = new ZipEntry("small.tar");
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(CONTENT.length);
    entry.setCrc(sum.getValue());
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(entry);
      out.write(CONTENT);
    }
    String bytes = Files.readString(jar, StandardCharsets.ISO_8859_1);
    Files.writeString(jar, bytes.replace("of a tar", "of a jar"), StandardCharsets.ISO_8859_1);

    URL url = URI.create("jar:" + jar.toUri() + "!/small.tar").toURL();
    assertThatIOException().isThrownBy(() -> content(url)).withMessageContaining("is damaged");
  }

  private static byte[] content(URL url) throws IOException {
    try (InputStream in = new BundledArchive(url, "linux-small").open()) {
      return in.readAllBytes();
    }
  }
}
