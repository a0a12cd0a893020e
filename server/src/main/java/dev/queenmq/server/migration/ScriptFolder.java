package dev.queenmq.server.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lists a folder of SQL resources. A class loader cannot list, so this looks into the folder or jar
 * that a class came from: {@code target/classes} and a shaded jar work alike.
 */
final class ScriptFolder {

  private final Class<?> anchor;

  /**
   * @param anchor any class that is shipped together with the resources
   */
  ScriptFolder(Class<?> anchor) {
    this.anchor = anchor;
  }

  /** The {@code .sql} files of a folder by name; an absent folder is an empty one. */
  List<ScriptFile> list(String folder) {
    URI source = source();
    try {
      if (!"file".equals(source.getScheme())) {
        return inside(FileSystems.newFileSystem(source, Map.of()), folder);
      }
      Path path = Path.of(source);
      if (Files.isDirectory(path)) {
        return read(path.resolve(folder));
      }
      return inside(FileSystems.newFileSystem(path), folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder + " in " + source, e);
    }
  }

  private URI source() {
    try {
      return anchor.getProtectionDomain().getCodeSource().getLocation().toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(anchor + " has no usable location", e);
    }
  }

  private static List<ScriptFile> inside(FileSystem jar, String folder) throws IOException {
    try (jar) {
      return read(jar.getPath("/").resolve(folder));
    }
  }

  private static List<ScriptFile> read(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".sql"))
          .map(ScriptFolder::file)
          .sorted(Comparator.comparing(ScriptFile::name))
          .toList();
    }
  }

  private static ScriptFile file(Path file) {
    try {
      return new ScriptFile(String.valueOf(file.getFileName()), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
