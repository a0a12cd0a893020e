package dev.queenmq.server.testing;

import static org.awaitility.Awaitility.await;

import dev.queenmq.embedded.PreparedCluster;
import dev.queenmq.embedded.SharedBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How tests start a broker in a JVM of its own: as cheaply as possible, for there are dozens of
 * them. They run the packed jar with an archive of its loaded classes, which takes a third off the
 * processor time of a start. The archive is made once, by a broker that starts and stops, and lies
 * beside the jar, where the tests of the benchmarks find it. Without a jar, as in a development
 * environment, they run on the class path of the tests.
 */
public final class ChildBroker {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path JAR = TARGET.resolve("queen.jar");
  private static final Path ARCHIVE = TARGET.resolve("queen.jsa");
  private static final String MAIN = "dev.queenmq.server.Main";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** They do not live long enough to gain by the better compiler. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Made when the first test needs it; the others wait. */
  private static final class Prepared {
    static final List<String> CLASS_PATH = classPath();

    private Prepared() {}
  }

  private ChildBroker() {}

  /**
   * The command that runs one.
   *
   * @param options more options of its JVM
   */
  public static List<String> command(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(QUICK_START);
    command.addAll(options);
    command.addAll(Prepared.CLASS_PATH);
    command.add(MAIN);
    return command;
  }

  private static List<String> classPath() {
    Path classes = TARGET.resolve("classes");
    Path tests = TARGET.resolve("test-classes");
    try {
      if (!Files.exists(JAR) || !isNewer(JAR, classes.resolve("dev/queenmq/server/Main.class"))) {
        return List.of("-cp", System.getProperty("java.class.path"));
      }
      if (!Files.exists(ARCHIVE) || !isNewer(ARCHIVE, JAR)) {
        make();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // The archive is good for class paths that begin like the one that it was made with.
    return List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-cp", JAR + ":" + tests);
  }

  private static boolean isNewer(Path file, Path than) throws IOException {
    return Files.exists(than)
        && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(than)) >= 0;
  }

  private static void make() throws IOException {
    Path folder = Files.createTempDirectory(TARGET, "class-archive-");
    Path made = folder.resolve("queen.jsa");
    Path output = folder.resolve("output.txt");
    Path data = SharedBinaries.linkInto(folder.resolve("data"));
    PreparedCluster.copyTo(data);
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(QUICK_START);
    command.addAll(List.of("-XX:ArchiveClassesAtExit=" + made, "-cp", JAR.toString(), MAIN));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder
        .environment()
        .putAll(
            Map.of(
                "HOST", "127.0.0.1",
                "PORT", "0",
                // Most of its classes are those that speak with PostgreSQL.
                "QUEEN_DATA_DIR", data.toString()));
    Process broker = builder.start();
    try {
      await()
          .atMost(LIMIT)
          .until(() -> !broker.isAlive() || Files.readString(output).contains("Listening on "));
      broker.destroy();
      await().atMost(LIMIT).until(() -> !broker.isAlive());
    } finally {
      broker.descendants().forEach(ProcessHandle::destroyForcibly);
      broker.destroyForcibly();
    }
    if (!Files.exists(made)) {
      throw new IllegalStateException("no class archive: " + Files.readString(output));
    }
    Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
