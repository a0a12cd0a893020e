package dev.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Another JVM with the testkit, as a build would start it. */
final class ChildJvm {
  private static final long LIMIT_MINUTES = 3;

  private final List<String> classPath;
  private final Path temporary;

  /**
   * One with the class path of this JVM.
   *
   * @param temporary for the testkit's folder and what the child prints
   */
  ChildJvm(Path temporary) {
    this.temporary = temporary;
    classPath =
        new ArrayList<>(
            List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
  }

  /** Leaves out jars by their file names. */
  ChildJvm without(Predicate<String> name) {
    classPath.removeIf(each -> name.test(new File(each).getName()));
    return this;
  }

  /** Adds the jars of a folder. */
  ChildJvm withJarsOf(Path jars) throws IOException {
    try (Stream<Path> files = Files.list(jars)) {
      files.map(Path::toString).sorted().forEach(classPath::add);
    }
    return this;
  }

  /** Runs a program until it ends by itself, and answers what it printed. */
  String run(Class<?> main, String... arguments) throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dqueen.testkit.folder=" + folder(),
                "-cp",
                String.join(File.pathSeparator, classPath),
                main.getName()));
    words.addAll(List.of(arguments));
    Path output = temporary.resolve(main.getSimpleName() + ".out");
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
      assertThat(ended).as("ended: %s", Files.readString(output)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      return Files.readString(output);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Where the testkit in the child writes. */
  Path folder() {
    return temporary.resolve("testkit");
  }
}
