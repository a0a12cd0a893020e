package dev.queenmq.bench.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The options of the JVM of a broker: those with which {@code ./queen server} starts one. */
public final class JavaOptions {
  /** The setting that adds options, as it does for {@code ./queen}. */
  public static final String VARIABLE = "JAVA_OPTS";

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
    return with(added, jar.resolveSibling("queen.jsa"), jar);
  }

  /** The same with the archive that {@code ./queen server} makes beside a jar, if it is there. */
  public static List<String> asLaunched(String added, Path jar) {
    return with(added, jar.resolveSibling(jar.getFileName() + ".jsa"), jar);
  }

  private static List<String> with(String added, Path archive, Path jar) {
    Path file = BrokerProcess.builtJar().resolve("../../../java.options").normalize();
    try {
      List<String> options =
          new ArrayList<>(
              merge(
                  Files.isRegularFile(file) ? Files.readAllLines(file) : List.of(),
                  Arrays.stream(added.split(" ")).filter(option -> !option.isEmpty()).toList()));
      if (Files.exists(archive)
          && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) >= 0) {
        options.add("-XX:SharedArchiveFile=" + archive);
      }
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
