package dev.queenmq.bench.concurrency;

import dev.queenmq.bench.BenchDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the PostgreSQL of a test has written to its log. */
record PostgresLog(Path file) {

  static PostgresLog of(BenchDatabase database) {
    Path cluster = Path.of(database.text("show data_directory"));
    return new PostgresLog(cluster.resolveSibling("postgres.log"));
  }

  List<String> lines() {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
