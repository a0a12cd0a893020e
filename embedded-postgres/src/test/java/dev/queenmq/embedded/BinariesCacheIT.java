package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** The unpacked programs: once, whole, shared. */
class BinariesCacheIT {

  @TempDir Path folder;
  @TempDir Path elsewhere;

  @Test
  void unpacked_givesOneWholeCopy_whenTwoUnpackAtOnce() throws Exception {
    BundledArchive archive = smallArchive();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Path>> answers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        answers.add(threads.submit(() -> new BinariesCache(folder).unpacked(archive)));
      }
      Path bin = answers.get(0).get();
      for (Future<Path> answer : answers) {
        assertThat(answer.get()).isEqualTo(bin);
      }
      assertThat(PostgresInstallation.at(bin).majorVersion())
          .isEqualTo(BundledArchive.MAJOR_VERSION);
    } finally {
      threads.shutdown();
    }
    assertThat(names()).hasSize(1);
  }

  @Test
  void unpacked_succeeds_whenOthersRemoveTheSameLeftovers() throws Exception {
    BundledArchive archive = smallArchive();
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    for (int i = 0; i < 100; i++) {
      Path abandoned = Files.createDirectory(folder.resolve(".postgres-abandoned-" + i));
      for (int j = 0; j < 10; j++) {
        Files.createFile(abandoned.resolve("file-" + j));
      }
      Files.setLastModifiedTime(abandoned, longAgo);
    }
    int processes = 4;
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    try {
      CyclicBarrier together = new CyclicBarrier(processes);
      List<Future<Path>> answers = new ArrayList<>();
      for (int i = 0; i < processes; i++) {
        answers.add(
            threads.submit(
                () -> {
                  together.await();
                  return new BinariesCache(folder).unpacked(archive);
                }));
      }
      for (Future<Path> answer : answers) {
        assertThat(answer.get().resolve("initdb")).isExecutable();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void unpacked_repairsDamage_andRemovesWhatOthersAbandoned() throws Exception {
    BundledArchive archive = smallArchive();
    BinariesCache cache = new BinariesCache(folder);
    Path bin = cache.unpacked(archive);
    FileTime unpackedAt = Files.getLastModifiedTime(bin);
    assertThat(Files.getLastModifiedTime(cache.unpacked(archive))).isEqualTo(unpackedAt);

    Path abandoned = Files.createDirectory(folder.resolve(".postgres-abandoned"));
    Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    Path beingMade = Files.createDirectory(folder.resolve(".postgres-being-made"));
    Files.delete(bin.resolve("initdb"));
    assertThat(cache.unpacked(archive).resolve("initdb")).isExecutable();
    assertThat(abandoned).doesNotExist();
    assertThat(beingMade).exists();
  }

  @Test
  void forMachine_saysWhatToDo_whenThereIsNoArchive() {
    assertThatThrownBy(() -> BundledArchive.forMachine("Plan 9", "mips", false))
        .isInstanceOfSatisfying(
            EmbeddedPostgresException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NO_BINARIES))
        .hasMessageContaining("QUEEN_PG_BIN");
  }

  @Test
  void forMachine_findsBothProcessors() throws Exception {
    assertThat(BundledArchive.forMachine("Linux", "amd64", false).fingerprint())
        .isNotEqualTo(BundledArchive.forMachine("Linux", "aarch64", false).fingerprint());
  }

  /**
   * With as many files as the true one, but small: that one is unpacked for nearly all other tests,
   * which takes seconds.
   */
  private BundledArchive smallArchive() throws IOException {
    Path file = elsewhere.resolve("small.txz");
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(
            new XZOutputStream(Files.newOutputStream(file), new LZMA2Options(0)))) {
      add(tar, "./bin/postgres", "#!/bin/sh\necho 'postgres (PostgreSQL) 18.6'\n");
      add(tar, "./bin/initdb", "#!/bin/sh\n");
      for (int i = 0; i < 1000; i++) {
        add(tar, "./share/file-" + i, "text\n".repeat(i));
      }
    }
    return new BundledArchive(file.toUri().toURL(), "linux-small");
  }

  private static void add(TarArchiveOutputStream tar, String name, String text) throws IOException {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setMode(0700);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> "" + path.getFileName()).toList();
    }
  }
}
