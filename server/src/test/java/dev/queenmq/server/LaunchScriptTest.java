package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When {@code ./queen} builds, and what it says of it; with a Maven and a Java that only tell. */
class LaunchScriptTest {
  private static final Path REPOSITORY = Path.of("..");

  @TempDir private Path folder;
  private Path root;
  private String javaHome = "";
  private String zone = "UTC";
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void make() throws IOException {
    root = folder.resolve("repository");
    javaHome = folder.resolve("java").toString();
    write("pom.xml", "<project/>");
    write("embedded-postgres/pom.xml", "<project/>");
    write("embedded-postgres/src/main/java/E.java", "class E {}");
    write("server/pom.xml", "<project/>");
    write("server/src/main/java/A.java", "class A {}");
    write("server/src/test/java/ATest.java", "class ATest {}");
    write("bench/pom.xml", "<project/>");
    write("bench/src/main/java/B.java", "class B {}");
    write("client/pom.xml", "<project/>");
    write("client/src/main/java/D.java", "class D {}");
    write("cli/pom.xml", "<project/>");
    write("cli/src/main/java/E.java", "class E {}");
    write("bench-peers/pom.xml", "<project/>");
    write("bench-peers/src/main/java/C.java", "class C {}");
    Files.copy(REPOSITORY.resolve("queen"), root.resolve("queen"));
    Files.copy(REPOSITORY.resolve("java.options"), root.resolve("java.options"));
    executable(
        "bin/mvn",
        """
        #!/bin/sh
        echo "maven $*"
        [ -z "$FAILS" ] || exit 1
        mkdir -p server/target bench/target bench-peers/target cli/target
        echo jar > cli/target/queen-cli.jar
        echo jar > server/target/queen.jar
        echo jar > bench/target/bench.jar
        case "$*" in
          *-Pcompare*)
            [ ! -e bench-peers/broken ] || exit 1
            echo jar > bench-peers/target/bench-peers.jar
            ;;
        esac
        """);
    executable(
        "java/bin/java",
        """
        #!/bin/sh
        case "$*" in
          *-XshowSettings*) echo "    java.specification.version = $(cat "$(dirname "$0")/version" 2> /dev/null || echo 17)" ;;
          *-XX:AOTCacheOutput=*)
            env > "$(dirname "$0")/training"
            echo trained > "$(echo "$*" | tr ' ' '\\n' | sed -n 's,^-XX:AOTCacheOutput=,,p')"
            # It keeps what it has learned also if the broker could not start.
            [ ! -e "$(dirname "$0")/no-training" ] || exit 1
            [ ! -e "$(dirname "$0")/long-training" ] || { echo $$ > "$(dirname "$0")/pid"; exec sleep 600; }
            echo "Listening on http://127.0.0.1:1"
            ;;
          *-XX:ArchiveClassesAtExit=*)
            [ ! -e "$(dirname "$0")/no-archive" ] || exit 1
            echo classes > "$(echo "$*" | tr ' ' '\\n' | sed -n 's,^-XX:ArchiveClassesAtExit=,,p')"
            echo "Listening on http://127.0.0.1:1"
            ;;
          *) echo "started"; echo "$*" > "$(dirname "$0")/arguments" ;;
        esac
        """);
  }

  /** Which version the Java says that it is. */
  private void java(int version) throws IOException {
    Files.writeString(folder.resolve("java/bin/version"), version + "\n");
  }

  private Path write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private void executable(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String run(String command, String fails) throws Exception {
    Process process = start(command, fails);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  private Process start(String command, String fails) throws IOException {
    List<String> words = new ArrayList<>(List.of("bash", root.resolve("queen").toString()));
    words.addAll(List.of(command.split(" ")));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", javaHome);
    builder.environment().keySet().removeAll(Set.of("JAVA_OPTS", "QUEEN_CLI_JAVA_OPTS"));
    builder.environment().putAll(variables);
    builder.environment().put("TZ", zone);
    builder.environment().put("FAILS", fails);
    return builder.start();
  }

  private String server() throws Exception {
    return run("server", "");
  }

  private void assertBuilds(String why) throws Exception {
    assertThat(server()).contains("queen: building server, because " + why, "maven", "started");
    assertThat(server()).isEqualTo("started\n");
  }

  @Test
  void builds_whatIsMissing_once() throws Exception {
    assertBuilds("server/target/queen.jar is missing");
    Files.delete(root.resolve("server/target/queen.jar"));
    assertBuilds("server/target/queen.jar is missing");
  }

  /** The class path of a command has the client and nothing of the server. */
  @Test
  void clientCommands_startWithAnArchiveOfTheirClasses() throws Exception {
    assertThat(run("queues --limit 5", ""))
        .contains("queen: building cli, because cli/target/queen-cli.jar is missing", "started");
    assertThat(run("queues --limit 5", "")).isEqualTo("started\n");
    assertThat(Files.readString(folder.resolve("java/bin/arguments")))
        .contains(
            "-XX:SharedArchiveFile=" + root.resolve("cli/target/queen-cli.jar.jsa"),
            "-cp " + root.resolve("cli/target/queen-cli.jar") + " dev.queenmq.cli.Cli",
            "queues --limit 5");
    write("client/src/main/java/D.java", "class D { int a; }");
    assertThat(run("status", "")).contains("the sources have changed");
    assertThat(run("no-such-command", "")).contains("unknown command 'no-such-command'");
  }

  /** Java refuses to start with two collectors, and a port for a debugger can be used once. */
  @Test
  void clientCommands_haveOptionsOfTheirOwn_notThoseOfABroker() throws Exception {
    variables.put("JAVA_OPTS", "-XX:+UseG1GC -Dof=broker");
    variables.put("QUEEN_CLI_JAVA_OPTS", "-Dof=command -Xmx99m");
    run("status", "");
    assertThat(arguments())
        .contains("-XX:+UseSerialGC", " -Dof=command -Xmx99m -cp ")
        .doesNotContain("-XX:+UseG1GC", "-Dof=broker");

    server();
    assertThat(arguments()).contains(" -XX:+UseG1GC -Dof=broker ").doesNotContain("-Dof=command");
  }

  @Test
  void builds_whenContentOrNamesChange() throws Exception {
    String changed = "the sources have changed since server/target/queen.jar was built";
    server();
    write("server/src/main/java/A.java", "class A { int a; }");
    // Older than the jar, as a file that was restored from somewhere is.
    touch(root.resolve("server/src/main/java/A.java"), Instant.EPOCH);
    assertBuilds(changed);
    write("server/src/main/resources/new file.sql", "select 1");
    assertBuilds(changed);
    Files.move(
        root.resolve("server/src/main/resources/new file.sql"),
        root.resolve("server/src/main/resources/other.sql"));
    assertBuilds(changed);
    Files.delete(root.resolve("server/src/main/resources/other.sql"));
    assertBuilds(changed);
    write("pom.xml", "<project></project>");
    assertBuilds(changed);
  }

  @Test
  void doesNotBuild_whenOnlyTimesOrTestsChange() throws Exception {
    server();
    write("server/src/test/java/ATest.java", "class ATest { int a; }");
    write("bench/src/main/java/B.java", "class B { int b; }");
    try (Stream<Path> files = Files.walk(root.resolve("server/src"))) {
      for (Path file : files.toList()) {
        touch(file, Instant.now().plusSeconds(3_600));
      }
    }
    assertThat(server()).isEqualTo("started\n");
    // The same, elsewhere: all times are new, in any order.
    Path copy = folder.resolve("copy");
    assertThat(new ProcessBuilder("cp", "-r", root.toString(), copy.toString()).start().waitFor())
        .isZero();
    root = copy;
    assertThat(server()).isEqualTo("started\n");
  }

  @Test
  void builds_whatSomethingElseBuilt() throws Exception {
    write("server/target/queen.jar", "jar");
    assertBuilds("it is not known which sources server/target/queen.jar was built from");
  }

  @Test
  void builds_again_afterABuildThatFailed() throws Exception {
    server();
    write("server/src/main/java/A.java", "class A { int a }");
    assertThat(run("server", "yes")).contains("the build failed").doesNotContain("started");
    assertThat(run("server", "yes")).contains("the build failed").doesNotContain("started");
    assertThat(server()).contains("queen: building server", "started");
  }

  @Test
  void bench_isBuiltFromBothModules() throws Exception {
    assertThat(run("bench", ""))
        .contains("queen: building bench, because bench/target/bench.jar is missing");
    assertThat(run("bench", "")).isEqualTo("started\n");
    for (String source : List.of("server/src/main/java/A.java", "bench/src/main/java/B.java")) {
      write(source, "class Other {}");
      assertThat(run("bench", "")).contains("queen: building bench, because the sources have");
      assertThat(run("bench", "")).isEqualTo("started\n");
    }
  }

  @Test
  void otherSystems_areBuiltForTheComparisonOnly() throws Exception {
    run("bench store", "");
    assertThat(arguments()).doesNotContain("bench-peers");
    assertThat(run("bench compare", ""))
        .contains("building bench-peers, because bench-peers/target/bench-peers.jar is missing")
        .contains("-Pcompare -am -pl bench-peers");
    assertThat(arguments())
        .contains("/bench/target/lib/*:" + root + "/bench-peers/target/bench-peers.jar:");
    assertThat(run("bench compare", "")).isEqualTo("started\n");
  }

  @Test
  void comparison_goesOnWithoutOtherSystems_thatCannotBeBuilt() throws Exception {
    write("bench-peers/broken", "");
    assertThat(run("bench compare", ""))
        .contains("queen: goes on without Kafka, RabbitMQ and NATS", "started");
    assertThat(arguments()).doesNotContain("bench-peers");
  }

  @Test
  void keepsTheLoadedClasses_onceForEachJar() throws Exception {
    assertThat(server()).contains("queen: keeping the loaded classes");
    assertThat(arguments())
        .contains("-XX:SharedArchiveFile=" + root + "/server/target/queen.jar.jsa ");
    assertThat(server()).isEqualTo("started\n");
    assertThat(arguments()).contains("-XX:SharedArchiveFile=");

    write("server/src/main/java/A.java", "class A { int a; }");
    assertThat(server()).contains("queen: keeping the loaded classes", "started");
  }

  @Test
  void starts_whereTheLoadedClassesCannotBeKept() throws Exception {
    Files.createFile(folder.resolve("java/bin/no-archive"));
    assertThat(server()).contains("that failed: see server/target/queen.jar.jsa.log", "started");
    assertThat(arguments()).doesNotContain("SharedArchiveFile");
    // It is not tried at every start.
    assertThat(server()).isEqualTo("started\n");
  }

  @Test
  void distribution_startsWhatItBrings_withoutMaven() throws Exception {
    install();
    assertThat(run("server --port 1", "yes"))
        .isEqualTo(
            "queen: keeping the loaded classes, so that brokers start faster ...\nstarted\n");
    assertThat(arguments())
        .contains(
            "-Xmx512m ",
            "-XX:SharedArchiveFile=%1$s/lib/queen.jar.jsa ".formatted(home()),
            " -jar %1$s/lib/queen.jar --port 1".formatted(home()));
    assertThat(run("server", "yes")).isEqualTo("started\n");
    assertThat(run("bench", "yes")).contains("queen: unknown command 'bench'");
    assertThat(run("help", "yes")).contains("  prepare  ").doesNotContain("bench", "Maven");
  }

  @Test
  void distribution_isPreparedByAnInstaller() throws Exception {
    install();
    assertThat(run("prepare", "yes")).contains("keeping the loaded classes");
    assertThat(home().resolve("lib/queen.jar.jsa")).exists();
    assertThat(run("server", "yes")).isEqualTo("started\n");
    assertThat(arguments()).contains("-XX:SharedArchiveFile=");
    // The next version is unpacked over it.
    Files.writeString(home().resolve("lib/queen.jar"), "another jar");
    assertThat(run("server", "yes")).contains("keeping the loaded classes", "started");
  }

  @Test
  void prepare_trainsABroker_ifJavaCanDoThat() throws Exception {
    java(25);
    assertThat(run("prepare", "")).contains("queen: training a broker").doesNotContain("failed");
    assertThat(Files.readString(folder.resolve("java/bin/training")))
        .contains("QUEEN_WARM_UP_MS=", "PORT=0", "HOST=127.0.0.1")
        .doesNotContain("PG_HOST", "FAILS");
    assertThat(server()).isEqualTo("started\n");
    assertThat(arguments())
        .contains("-XX:AOTCache=" + root + "/server/target/queen.jar.aot ")
        .doesNotContain("SharedArchiveFile");

    write("server/src/main/java/A.java", "class A { int a; }");
    assertThat(server()).contains("queen: keeping the loaded classes", "started");
    assertThat(arguments()).contains("-XX:SharedArchiveFile=").doesNotContain("AOTCache");
  }

  @Test
  void prepare_keepsTheClasses_ifTrainingFails() throws Exception {
    install();
    java(26);
    Files.createFile(folder.resolve("java/bin/no-training"));
    assertThat(run("prepare", "yes"))
        .contains("that failed: see lib/queen.jar.aot.log", "keeping the loaded classes");
    assertThat(run("server", "yes")).isEqualTo("started\n");
    assertThat(arguments()).contains("-XX:SharedArchiveFile=").doesNotContain("AOTCache");

    Files.delete(folder.resolve("java/bin/no-training"));
    assertThat(run("prepare", "yes")).doesNotContain("failed");
    run("server", "yes");
    assertThat(arguments()).contains("-XX:AOTCache=%s/lib/queen.jar.aot ".formatted(home()));

    // The next version is unpacked over it.
    Files.writeString(home().resolve("lib/queen.jar"), "another jar");
    assertThat(run("server", "yes")).contains("keeping the loaded classes", "started");
    assertThat(arguments()).doesNotContain("AOTCache");
  }

  @Test
  void prepare_leavesNoBrokerBehind_whenItIsStopped() throws Exception {
    install();
    java(25);
    Files.createFile(folder.resolve("java/bin/long-training"));
    Process prepare = start("prepare", "yes");
    Path pid = folder.resolve("java/bin/pid");
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.exists(pid) && Files.readString(pid).endsWith("\n"));
    ProcessHandle broker = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).get();

    prepare.destroy();

    assertThat(prepare.waitFor()).isEqualTo(130);
    assertThat(broker.isAlive()).isFalse();
    assertThat(home().resolve("lib/queen.jar.aot")).doesNotExist();
  }

  @Test
  void archives_areGood_whereverAndWheneverABrokerStarts() throws Exception {
    install();
    java(25);
    Path jar = home().resolve("lib/queen.jar");
    touch(jar, Instant.parse("2026-01-31T23:30:00Z"));
    run("prepare", "yes");
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-rw-rw-"));
    zone = "Asia/Tokyo";

    assertThat(run("server", "yes")).isEqualTo("started\n");
    assertThat(arguments()).contains("-XX:AOTCache=");
  }

  @Test
  void distribution_bringsAJava_thatJavaHomeOverrides() throws Exception {
    install();
    Path own = home().resolve("runtime/bin/java");
    Files.createDirectories(own.getParent());
    Files.copy(folder.resolve("java/bin/java"), own);

    run("server", "yes");
    assertThat(own.resolveSibling("arguments")).doesNotExist();
    javaHome = "";
    assertThat(run("server", "yes")).contains("started");
    assertThat(own.resolveSibling("arguments")).exists();
  }

  /** As a distribution lies there: the script in bin, and no sources. */
  private void install() throws IOException {
    Path script = root.resolve("queen");
    root = folder.resolve("queen-1");
    write("lib/queen.jar", "jar");
    write("lib/queen-cli.jar", "jar");
    write("bin/queen", Files.readString(script));
    Files.copy(REPOSITORY.resolve("java.options"), root.resolve("java.options"));
    root = root.resolve("bin");
  }

  private Path home() throws IOException {
    return Objects.requireNonNull(root.getParent()).toRealPath();
  }

  /** What the last broker was started with. */
  private String arguments() throws IOException {
    return Files.readString(folder.resolve("java/bin/arguments"));
  }

  private static void touch(Path file, Instant when) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(when));
  }
}
