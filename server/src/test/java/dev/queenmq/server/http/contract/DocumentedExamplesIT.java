package dev.queenmq.server.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.RunningServer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Types what the documentation shows. The blocks of a page that are marked {@code sh} are run in
 * their order, by one shell, against a broker that starts empty; all have to succeed. What else a
 * block says after that mark:
 *
 * <ul>
 *   <li>{@code fails}: it shows an error;
 *   <li>{@code background}: it runs until the next block is done, as in a second terminal.
 * </ul>
 *
 * <p>Blocks marked {@code console} are transcripts: what follows a dollar is run, and has to be
 * answered as the lines after it say. There, ids and times stand for any, the same id for the same;
 * three dots stand for anything.
 *
 * <p>Blocks marked {@code java} with the name of a file become that file, for the shell to run.
 * {@code JACKSON} is the library that they may use.
 *
 * <p>A line {@code NAME=VALUE ./queen server} in a page says how its broker is started.
 */
@ExtendWith(PostgresExtension.class)
class DocumentedExamplesIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String BROKER = "localhost:6632";
  private static final Pattern FENCE =
      Pattern.compile("^```([^\\n]*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern START =
      Pattern.compile("^([A-Z_]+=.*) \\./queen server$", Pattern.MULTILINE);

  /** Says what was answered, and takes errors as such. */
  private static final String CURL =
      """
      set -euo pipefail
      curl() {
        local body; body=$(mktemp answer.XXXXXX)
        local status; status=$(command curl -sS --max-time 100 -o "$body" -w '%{http_code}' "$@")
        cat "$body"; echo
        [ "$status" -lt 400 ] || { echo "answered $status: curl $*" >&2; return 1; }
      }
      """;

  private record Block(List<String> marks, String text) {}

  static List<String> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
          .filter(path -> path.toString().endsWith(".md"))
          .map(path -> ROOT.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  static List<String> pagesWithExamples() throws IOException {
    return pages().stream()
        // The module of the command line runs these.
        .filter(page -> !Set.of("docs/cli.md", "docs/operating.md").contains(page))
        .filter(page -> blocks(page).stream().anyMatch(DocumentedExamplesIT::isExample))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void requests_areAllRun(String page) {
    assertThat(blocks(page))
        .filteredOn(block -> block.text().contains(BROKER) && block.text().contains("curl "))
        .as("blocks with requests are marked sh or console")
        .allMatch(DocumentedExamplesIT::isExample);
  }

  @ParameterizedTest
  @MethodSource("pagesWithExamples")
  void page_canBeTyped(String page, @TempDir Path folder, TestDatabase database)
      throws IOException, InterruptedException {
    assumeTrue(installed("bash") && installed("curl") && installed("jq"), "bash, curl and jq");
    try (RunningServer server = RunningServer.on(database.endpoint(), settings(page, folder))) {
      String address = "localhost:" + server.port();
      Typed script = type(folder, script(page).replace(BROKER, address));
      assertThat(script.status()).as(script.output()).isZero();

      Transcript transcript = new Transcript();
      for (Block block : blocks(page)) {
        if (block.marks().get(0).equals("console")) {
          for (Transcript.Step step : Transcript.steps(block.text())) {
            Typed typed = type(folder, transcript.asHere(step.command()).replace(BROKER, address));
            assertThat(typed.status()).as(typed.output()).isZero();
            transcript.compare(step, typed.output());
          }
        }
      }
    }
  }

  private record Typed(int status, String output) {}

  private static Typed type(Path folder, String text) throws IOException, InterruptedException {
    Path script = Files.writeString(folder.resolve("typed.sh"), CURL + text);
    Path output = folder.resolve("output");
    ProcessBuilder command =
        new ProcessBuilder("bash", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    Map<String, String> environment = command.environment();
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    environment.put("PATH", java + File.pathSeparator + environment.getOrDefault("PATH", ""));
    environment.put("JACKSON", jackson());
    Process shell = command.start();
    if (!shell.waitFor(120, TimeUnit.SECONDS)) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
    return new Typed(shell.exitValue(), Files.readString(output));
  }

  private static String script(String page) {
    StringBuilder script = new StringBuilder();
    boolean waits = false;
    for (Block block : blocks(page)) {
      if (isFile(block)) {
        script.append("cat > ").append(block.marks().get(1)).append(" <<'END'\n");
        script.append(block.text()).append("END\n");
        continue;
      } else if (!isRun(block)) {
        continue;
      } else if (block.marks().contains("fails")) {
        script.append("if (\n").append(block.text()).append("); then exit 1; fi\n");
      } else if (block.marks().contains("background")) {
        script.append("{\n").append(block.text()).append("} &\n");
        waits = true;
        continue;
      } else {
        script.append(block.text());
      }
      if (waits) {
        script.append("wait $!\n");
        waits = false;
      }
    }
    return script.toString();
  }

  private static boolean isExample(Block block) {
    return isRun(block) || block.marks().get(0).equals("console");
  }

  private static boolean isFile(Block block) {
    return block.marks().get(0).equals("java") && block.marks().size() == 2;
  }

  private static String jackson() {
    return JsonFactory.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  private static boolean isRun(Block block) {
    return block.marks().get(0).equals("sh");
  }

  private static List<Block> blocks(String page) {
    try {
      List<Block> blocks = new ArrayList<>();
      Matcher fences = FENCE.matcher(Files.readString(ROOT.resolve(page)));
      while (fences.find()) {
        blocks.add(new Block(List.of(fences.group(1).strip().split(" ", -1)), fences.group(2)));
      }
      return blocks;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the shell makes of the variables before the first start that the page shows. */
  private static Map<String, String> settings(String page, Path folder)
      throws IOException, InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("QUEEN_SPOOL_DIR", folder.resolve("spool").toString());
    // A machine that stands still for some seconds is no outage.
    settings.put("QUEEN_SPOOL_DEADLINE_MS", "10000");
    Matcher start = START.matcher(Files.readString(ROOT.resolve(page)));
    if (!start.find()) {
      return settings;
    }
    type(folder, start.group(1) + " env")
        .output()
        .lines()
        .map(line -> line.split("=", 2))
        .filter(parts -> parts.length == 2)
        .filter(parts -> start.group(1).contains(parts[0] + "="))
        .filter(parts -> !parts[0].startsWith("PG_"))
        .forEach(parts -> settings.put(parts[0], parts[1]));
    return settings;
  }

  private static boolean installed(String tool) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }
}
