package dev.queenmq.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaOptionsTest {
  private static final List<String> LINES =
      List.of("# why", "", "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m");

  JavaOptionsTest() {}

  @Test
  void merge_addsOptions_afterThoseOfTheFile() {
    assertThat(JavaOptions.merge(LINES, List.of("-Da=b")))
        .containsExactly(
            "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m", "-Da=b");
  }

  @Test
  void merge_leavesOutWhatTheAddedReplace() {
    assertThat(JavaOptions.merge(LINES, List.of("-Xmx128m")))
        .containsExactly("-XX:+UseSerialGC", "-Xss1m", "-Xmx128m");
    assertThat(JavaOptions.merge(LINES, List.of("-XX:+UseG1GC")))
        .containsExactly("-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m", "-XX:+UseG1GC");
  }

  @Test
  void archive_isUsed_ifItIsNotOlderThanTheJar(@TempDir Path folder) throws IOException {
    Path jar = Files.createFile(folder.resolve("queen.jar"));
    Path file = folder.resolve("queen.jar.kept");
    assertThat(JavaOptions.classes(file, jar)).isEmpty();
    Files.createFile(file);
    assertThat(JavaOptions.classes(file, jar)).contains("-XX:SharedArchiveFile=" + file);
    assertThat(JavaOptions.trained(file, jar, 25)).contains("-XX:AOTCache=" + file);
    assertThat(JavaOptions.trained(file, jar, 24)).isEmpty();

    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    assertThat(JavaOptions.classes(file, jar)).isEmpty();
    assertThat(JavaOptions.trained(file, jar, 25)).isEmpty();
  }
}
