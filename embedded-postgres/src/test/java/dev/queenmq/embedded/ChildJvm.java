package dev.queenmq.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM that runs an embedded PostgreSQL, and what it said about it. */
final class ChildJvm implements AutoCloseable {

  private static final File CHILDREN_LOG =
      Path.of("target").toAbsolutePath().resolve("children.log").toFile();

  private final Process process;
  private final String answer;

  private ChildJvm(Process process, String answer) {
    this.process = process;
    this.answer = answer;
  }

  /** Starts it and waits until its PostgreSQL is ready or was refused. */
  static ChildJvm start(
      List<String> prefix, String classPath, Path folder, Path cache, String... more)
      throws IOException {
    List<String> words = new ArrayList<>(prefix);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-Dlogback.configurationFile=logback-child.xml");
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-cp", classPath, ChildMain.class.getName()));
    words.addAll(List.of(folder.toString(), cache.toString()));
    words.addAll(List.of(more));
    Process process =
        new ProcessBuilder(words)
            .directory(folder.getRoot().toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(CHILDREN_LOG))
            .start();
    StringBuilder said = new StringBuilder();
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    while (line != null && !line.startsWith("READY") && !line.startsWith("FAILED")) {
      said.append(line).append('\n');
      line = output.readLine();
    }
    return new ChildJvm(process, line == null ? "ended: " + said : line);
  }

  static ChildJvm start(Path folder, String... more) throws IOException {
    return start(
        List.of(), System.getProperty("java.class.path"), folder, TestFolders.BINARIES, more);
  }

  /** {@code READY} or {@code FAILED}, and what belongs to it. */
  String answer() {
    return answer;
  }

  long pid() {
    return process.pid();
  }

  long postmasterPid() {
    if (!answer.startsWith("READY ")) {
      throw new AssertionError(answer);
    }
    return Long.parseLong(answer.substring("READY ".length()));
  }

  /** Ends it the hard way, as kill -9 does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets it shut its PostgreSQL down and end. */
  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      process.getOutputStream().close();
    }
    process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
  }
}
