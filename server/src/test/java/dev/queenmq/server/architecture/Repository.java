package dev.queenmq.server.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the repository, as tests read them. */
final class Repository {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** What builds and brokers write; files come and go there while tests run. */
  private static final Set<String> NOT_OURS = Set.of("target", ".git", "data", "node_modules");

  private Repository() {}

  /** All files below a folder whose names end so, in order, without what a build has made. */
  static List<Path> files(Path folder, String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
              return !path.equals(folder) && NOT_OURS.contains(String.valueOf(path.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
              if (path.toString().endsWith(ending)) {
                found.add(path);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
