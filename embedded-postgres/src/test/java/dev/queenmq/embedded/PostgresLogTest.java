package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLogTest {

  @TempDir Path folder;

  @Test
  void tail_showsTheEndOfThisRunOnly() throws Exception {
    Path file = Files.writeString(folder.resolve("log"), "an earlier run\n");
    PostgresLog log = PostgresLog.begin(file, 1000);
    assertThat(log.tail()).isEmpty();
    String lines =
        IntStream.range(0, 5000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
    Files.writeString(file, lines, StandardOpenOption.APPEND);
    assertThat(log.tail().lines()).hasSize(30).last().isEqualTo("line 4999");
    assertThat(log.tail()).doesNotContain("an earlier run");
  }

  @Test
  void begin_setsLargeLogAside() throws Exception {
    Path file = Files.writeString(folder.resolve("log"), "0123456789");
    PostgresLog.begin(file, 10);
    assertThat(file).hasContent("0123456789");
    PostgresLog.begin(file, 9);
    assertThat(file).isEmptyFile();
    assertThat(folder.resolve("log.1")).hasContent("0123456789");
  }

  @Test
  void begin_makesLogThatOnlyItsOwnerReads() throws Exception {
    Path file = folder.resolve("log");
    PostgresLog.begin(file, 10);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
