package dev.queenmq.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What of a cluster belongs into a backup. Left out is what a server makes again at its start, and
 * what is only true for the process that runs now.
 */
record ClusterFiles(Path cluster) {

  static final String LOG = "pg_wal";

  /** Kept as empty folders. */
  private static final Set<String> EMPTIED =
      Set.of(
          LOG,
          "pg_dynshmem",
          "pg_notify",
          "pg_replslot",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans");

  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "postmaster\\.(pid|opts)|backup_label.*|tablespace_map.*|current_logfiles"
              + "|pg_internal\\.init.*|pgsql_tmp.*|.*\\.new");
  private static final Pattern LOG_FILE = Pattern.compile("[0-9A-F]{24}");
  private static final Pattern HISTORY_FILE = Pattern.compile("[0-9A-F]{8}\\.history");

  /** Folders before what is in them. Files may be gone by the time they are read. */
  List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        cluster,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            if (LEFT_OUT.matcher(name).matches()) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            found.add(folder);
            return cluster.equals(folder.getParent()) && EMPTIED.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!LEFT_OUT.matcher(file.getFileName().toString()).matches()) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (Files.exists(file)) {
              throw failure;
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** The write-ahead log from one file to another, and the history of timelines. */
  List<Path> log(String first, String last) throws IOException {
    try (Stream<Path> files = Files.list(cluster.resolve(LOG))) {
      return files.filter(file -> isBetween(first, last, name(file))).sorted().toList();
    }
  }

  private static boolean isBetween(String first, String last, String name) {
    return HISTORY_FILE.matcher(name).matches()
        || (LOG_FILE.matcher(name).matches()
            && name.compareTo(first) >= 0
            && name.compareTo(last) <= 0);
  }

  /** Whether the database has parts elsewhere on the disk. */
  boolean hasTablespaces() throws IOException {
    try (Stream<Path> links = Files.list(cluster.resolve("pg_tblspc"))) {
      return links.findAny().isPresent();
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
