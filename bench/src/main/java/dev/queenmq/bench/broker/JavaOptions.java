package dev.queenmq.bench.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The options of the JVM of a broker: those with which {@code ./queen server} starts one. */
public final class JavaOptions {
  /** The setting that adds options, as it does for {@code ./queen}. */
  public static final String VARIABLE = "JAVA_OPTS";

  /** The first Java that {@code ./queen prepare} trains. */
  private static final int TRAINED = 25;

  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");
  private static final Pattern HEAP = Pattern.compile("-Xm.*|-XX:.*NewSize=.*");
  private static final Pattern HEAP_SIZE =
      Pattern.compile("-Xmx.*|-XX:MaxHeapSize=.*|-XX:MaxRAMPercentage=.*");

  private JavaOptions() {}

  /**
   * Those of this build's {@code java.options}, as far as these do not replace them, and these.
   * Tests of the server leave an archive of loaded classes beside the jar: it starts faster.
   */
  static List<String> of(String added, Path jar) {
    return with(added, classes(jar.resolveSibling("queen.jsa"), jar));
  }

  /** The same with what {@code ./queen} keeps beside a jar, if it is there. */
  public static List<String> asLaunched(String added, Path jar) {
    return with(
        added,
        trained(beside(jar, ".aot"), jar, Runtime.version().feature())
            .or(() -> classes(beside(jar, ".jsa"), jar)));
  }

  /** What {@code ./queen prepare} keeps of a broker at work. */
  static Optional<String> trained(Path cache, Path jar, int java) {
    return java >= TRAINED ? option("-XX:AOTCache=", cache, jar) : Optional.empty();
  }

  /** The archive of loaded classes that {@code ./queen server} makes. */
  static Optional<String> classes(Path archive, Path jar) {
    return option("-XX:SharedArchiveFile=", archive, jar);
  }

  private static Path beside(Path jar, String end) {
    return jar.resolveSibling(jar.getFileName() + end);
  }

  /** None if the file is not there or is older than the jar. */
  private static Optional<String> option(String name, Path file, Path jar) {
    try {
      return Files.exists(file)
              && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) >= 0
          ? Optional.of(name + file)
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> with(String added, Optional<String> archive) {
    Path file = BrokerProcess.builtJar().resolve("../../../java.options").normalize();
    try {
      List<String> options =
          new ArrayList<>(
              merge(
                  Files.isRegularFile(file) ? Files.readAllLines(file) : List.of(),
                  Arrays.stream(added.split(" ")).filter(option -> !option.isEmpty()).toList()));
      archive.ifPresent(options::add);
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> merge(List<String> lines, List<String> added) {
    boolean collector = added.stream().anyMatch(COLLECTOR.asMatchPredicate());
    boolean heap = added.stream().anyMatch(HEAP_SIZE.asMatchPredicate());
    List<String> options = new ArrayList<>();
    for (String line : lines) {
      boolean replaced =
          (collector && COLLECTOR.matcher(line).matches())
              || (heap && HEAP.matcher(line).matches());
      if (!line.isEmpty() && !line.startsWith("#") && !replaced) {
        options.add(line);
      }
    }
    options.addAll(added);
    return List.copyOf(options);
  }
}
