package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a command takes from its start to its end, as a process of its own with an archive of
 * its classes. It prints the time and asserts nothing about it: the machine may be busy.
 */
class StartTimeIT {
  private static final int RUNS = 5;
  private static final List<String> FAST =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  @TempDir Path folder;

  @Test
  void commands_startFast() throws Exception {
    Path jar = Path.of("target", "queen-cli.jar").toAbsolutePath();
    assertThat(jar).exists();
    Path archive = folder.resolve("cli.jsa");
    String made =
        run(
            Map.of(),
            List.of("-XX:+UseSerialGC", "-XX:ArchiveClassesAtExit=" + archive),
            jar,
            "dev.queenmq.cli.Rehearsal");
    assertThat(archive).as(made).exists();
    try (LocalBroker broker = LocalBroker.start(folder, Map.of())) {
      CommandRunner queen = new CommandRunner(folder).with("QUEEN_URL", broker.url());
      await().atMost(Duration.ofMinutes(2)).until(() -> queen.line("push q 1").code() == 0);
      List<String> options = new ArrayList<>(FAST);
      options.add("-XX:SharedArchiveFile=" + archive);
      options.add("-Xlog:cds*=off");
      List<Long> millis = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        long started = System.nanoTime();
        String out =
            run(Map.of("QUEEN_URL", broker.url()), options, jar, "dev.queenmq.cli.Cli", "queues");
        millis.add((System.nanoTime() - started) / 1_000_000);
        assertThat(out).contains("QUEUE", "q").doesNotContain("SLF4J", "warning");
      }
      System.out.printf("`queen queues` takes %s ms from start to end%n", millis);
    }
  }

  private static String run(
      Map<String, String> environment, List<String> options, Path jar, String... rest)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(List.of("-cp", jar.toString()));
    words.addAll(List.of(rest));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
