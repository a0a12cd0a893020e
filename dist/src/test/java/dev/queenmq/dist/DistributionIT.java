package dev.queenmq.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as a new user has it: unpacked on an empty folder, without Maven. */
class DistributionIT {
  /** Vert.x warns of an event loop that did not run, whatever kept it. */
  private static final String BUSY_MACHINE = "BlockedThreadChecker";

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Pattern LISTENING = Pattern.compile("Listening on http://127.0.0.1:(\\d+)");
  private static final Path ARCHIVE = Path.of(System.getProperty("queen.distribution"));

  @TempDir private Path folder;
  private Path home;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void unpack() throws IOException {
    // Other users, too, have to get here.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = Files.createDirectory(folder.resolve("opt"));
    unpack(ARCHIVE);
  }

  private void unpack(Path archive) throws IOException {
    run(List.of("tar", "-xzf", archive.toString(), "-C", home.toString(), "--strip-components=1"));
  }

  @AfterEach
  void end() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void brokerOfAnotherUser_runsFromAReadOnlyInstallation() throws Exception {
    assertThat(names())
        .containsExactlyInAnyOrder(
            "bin/queen",
            "lib/queen.jar",
            "lib/queen-cli.jar",
            "java.options",
            "LICENSE",
            "README.md",
            "systemd/queen.env",
            "systemd/queen.service");
    assertThat(home.resolve("README.md")).content().doesNotContain("${");
    Path data = folder.resolve("data");
    // As root in a container, or as an ordinary user: then this is the same one.
    boolean root = ProcessHandle.current().info().user().orElse("").equals("root");
    assumeTrue(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")), "root without setpriv");
    Files.createDirectory(data);
    if (root) {
      run(List.of("chown", "65534:65534", data.toString()));
    }
    run(List.of("chmod", "-R", "a-w", home.toString()));

    Process broker = start(root, data, Map.of("JAVA_HOME", System.getProperty("java.home")));
    int port = port(broker);
    assertThat(post(port, "/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"payload\":7}]}"))
        .contains("\"status\":\"queued\"");
    run(queen(root, "push", "q", "8", "--url", "http://127.0.0.1:" + port));
    assertThat(get(port, "/api/v1/pop/queue/q?autoAck=true")).contains("\"data\":7");
    assertThat(get(port, "/api/v1/pop/queue/q?autoAck=true")).contains("\"data\":8");
    broker.destroy();
    assertThat(broker.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS).exitValue())
        .as(output())
        .isZero();

    assertThat(output()).endsWith("Stopped\n");
    assertThat(output().lines().filter(line -> !line.contains(BUSY_MACHINE)))
        .noneMatch(line -> line.contains("WARN"))
        .noneMatch(line -> line.contains("Exception"))
        .noneMatch(line -> line.contains("queen: "));
    assertThat(names()).as("nothing was written to the installation").hasSize(8);
    run(List.of("chmod", "-R", "u+w", home.toString()));
  }

  @Test
  void postgres_isPackedSoThatItUnpacksFast() throws Exception {
    try (ZipFile jar = new ZipFile(home.resolve("lib/queen.jar").toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.startsWith("postgres-")))
          .containsExactlyInAnyOrder("postgres-linux-arm_64.tar", "postgres-linux-x86_64.tar");
    }
  }

  @Test
  void prepare_trainsABroker_withJava25() throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "older than Java 25");
    Path data = Files.createDirectory(folder.resolve("data"));
    Map<String, String> java = Map.of("JAVA_HOME", System.getProperty("java.home"));
    ProcessBuilder prepare =
        new ProcessBuilder(queen(false, "prepare"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    prepare.environment().putAll(java);
    Process preparing = prepare.start();
    started.add(preparing);
    assertThat(preparing.waitFor()).as(output()).isZero();
    assertThat(output()).doesNotContain("failed");
    assertThat(names()).contains("lib/queen.jar.aot").doesNotContain("lib/queen.jar.jsa");

    Process broker = start(false, data, java);
    int port = port(broker);

    assertThat(broker.info().arguments().orElseThrow())
        .contains("-XX:AOTCache=" + home.toRealPath().resolve("lib/queen.jar.aot"));
    awaitHealthy(port);
    assertThat(output().lines().filter(line -> !line.contains(BUSY_MACHINE)))
        .noneMatch(line -> line.contains("WARN"))
        .noneMatch(line -> line.contains("warning"));
  }

  @Test
  @EnabledIfSystemProperty(named = "queen.distribution.runtime", matches = ".+")
  void distributionWithARuntime_needsNoJava() throws Exception {
    home = Files.createDirectory(folder.resolve("with-runtime"));
    unpack(Path.of(System.getProperty("queen.distribution.runtime")));
    Path data = Files.createDirectory(folder.resolve("data"));

    Process broker = start(false, data, Map.of());
    int port = port(broker);

    assertThat(broker.info().command().map(Path::of))
        .contains(home.toRealPath().resolve("runtime/bin/java"));
    awaitHealthy(port);
    broker.destroy();
    assertThat(broker.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS).exitValue())
        .as(output())
        .isZero();
    assertThat(output()).endsWith("Stopped\n");
  }

  /** A command of another user, if this one may become another. */
  private List<String> queen(boolean root, String... arguments) {
    List<String> command = new ArrayList<>();
    if (root) {
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.add(home.resolve("bin/queen").toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private Process start(boolean root, Path data, Map<String, String> environment)
      throws IOException {
    List<String> command = queen(root, "server");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder
        .environment()
        .putAll(
            Map.of(
                "HOST",
                "127.0.0.1",
                "PORT",
                "0",
                // A busy machine is no outage.
                "QUEEN_SPOOL_DEADLINE_MS",
                "60000",
                "QUEEN_DATA_DIR",
                data.resolve("queen").toString()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static void awaitHealthy(int port) {
    await().atMost(LIMIT).until(() -> get(port, "/health").contains("\"status\":\"healthy\""));
  }

  private int port(Process broker) throws IOException {
    await().atMost(LIMIT).until(() -> !broker.isAlive() || LISTENING.matcher(output()).find());
    Matcher line = LISTENING.matcher(output());
    assertThat(line.find()).as(output()).isTrue();
    return Integer.parseInt(line.group(1));
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> home.relativize(file).toString())
          .toList();
    }
  }

  private static String post(int port, String path, String body) throws Exception {
    return send(HttpRequest.newBuilder(uri(port, path)).POST(BodyPublishers.ofString(body)));
  }

  private static String get(int port, String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(port, path)));
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static String send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request.timeout(LIMIT).build(), BodyHandlers.ofString())
        .body();
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(said).isZero();
  }
}
