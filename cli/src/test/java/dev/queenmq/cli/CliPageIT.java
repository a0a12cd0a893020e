package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.cli.CommandRunner.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Types the commands of pages such as {@code docs/cli.md} in their order, and compares what they
 * write with what the page says. Times and ages may be any, and so may ids; but an id of the page
 * stands for the same id wherever it stands. Three dots are any text. The widths of columns do not
 * count.
 */
class CliPageIT {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
              + "|(?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)"
              + "|(?<age>(?<=\\s|^)\\d+s(?=\\s|$))|(?<any>\\.\\.\\.)");

  @TempDir Path folder;

  private record Step(String command, List<String> output) {}

  @ParameterizedTest
  @ValueSource(strings = {"cli.md", "operating.md"})
  void thePage_isTrue(String page) throws Exception {
    List<Step> steps = steps(DOCS.resolve(page));
    assertThat(steps).hasSizeGreaterThan(20);
    Map<String, String> ids = new HashMap<>();
    try (LocalBroker broker = LocalBroker.start(folder, Map.of())) {
      CommandRunner queen =
          new CommandRunner(folder.resolve("home")).with("QUEEN_URL", broker.url());
      await().atMost(Duration.ofMinutes(2)).until(() -> queen.line("status").code() == 0);
      for (Step step : steps) {
        String command = step.command();
        for (Map.Entry<String, String> id : ids.entrySet()) {
          command = command.replace(id.getKey(), id.getValue());
        }
        String typed = command;
        if (typed.startsWith("lag")) {
          // What is less than a second old is not behind.
          await().until(() -> !queen.line(typed).out().startsWith("no group"));
        }
        Outcome outcome = queen.line(typed);
        compare(step, outcome.out() + outcome.err(), ids);
      }
    }
  }

  private static List<Step> steps(Path page) throws IOException {
    List<Step> steps = new ArrayList<>();
    boolean session = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        session = line.equals("```console");
      } else if (session && line.startsWith("$ queen ")) {
        steps.add(new Step(line.substring("$ queen ".length()), new ArrayList<>()));
      } else if (session) {
        steps.get(steps.size() - 1).output().add(line);
      }
    }
    return steps;
  }

  private static void compare(Step step, String actual, Map<String, String> ids) {
    List<String> names = new ArrayList<>();
    StringBuilder pattern = new StringBuilder();
    for (String line : step.output()) {
      pattern.append(pattern(squeezed(line), names, ids)).append("\\n");
    }
    String text =
        String.join("\n", actual.lines().map(CliPageIT::squeezed).toList())
            + (actual.isEmpty() ? "" : "\n");
    Matcher matcher = Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(text);
    assertThat(matcher.matches())
        .as("$ queen %s%n%s%nis not%n%s", step.command(), text, String.join("\n", step.output()))
        .isTrue();
    for (int i = 0; i < names.size(); i++) {
      ids.put(names.get(i), matcher.group(i + 1));
    }
  }

  private static String squeezed(String line) {
    return line.strip().replaceAll("\\s+", " ");
  }

  private static String pattern(String line, List<String> names, Map<String, String> ids) {
    StringBuilder pattern = new StringBuilder();
    Matcher tokens = TOKEN.matcher(line);
    int end = 0;
    while (tokens.find()) {
      pattern.append(Pattern.quote(line.substring(end, tokens.start())));
      end = tokens.end();
      String id = tokens.group("id");
      if (id == null) {
        pattern.append(tokens.group("any") == null ? "\\S+" : ".*");
      } else if (ids.containsKey(id)) {
        pattern.append(Pattern.quote(ids.get(id)));
      } else if (names.contains(id)) {
        pattern.append('\\').append(names.indexOf(id) + 1);
      } else {
        names.add(id);
        pattern.append("([0-9a-f-]{36})");
      }
    }
    return pattern.append(Pattern.quote(line.substring(end))).toString();
  }
}
