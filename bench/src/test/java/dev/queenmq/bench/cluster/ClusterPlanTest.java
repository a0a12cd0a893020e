package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of the clustering tests names tests that exist. */
class ClusterPlanTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/internals/clustering-tests.md");

  /** An element of a list: words, and below them tests. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^- (.+(?:\\n  (?!Tests:|No test:).+)*)\\n  Tests: (.+(?:\\n  .+)*)$");

  private static final Pattern TEST = Pattern.compile("`(\\w+)(?:\\.(\\w+))?`");

  /** Where a text that did not fit into a line was broken. */
  private static final Pattern BROKEN = Pattern.compile("\"\\s*\\+\\s*\"");

  ClusterPlanTest() {}

  @Test
  void everyRow_hasTestsThatBearItsWords() throws IOException {
    Map<String, String> tests = tests();
    int[] rows = new int[1];
    ROW.matcher(Files.readString(PAGE))
        .results()
        .forEach(
            row -> {
              rows[0]++;
              TEST.matcher(row.group(2)).results().forEach(test -> check(words(row), test, tests));
            });
    assertThat(rows[0]).isGreaterThan(30);
  }

  private static String words(MatchResult row) {
    return row.group(1).replaceAll("\\s+", " ");
  }

  private static void check(String words, MatchResult test, Map<String, String> tests) {
    assertThat(tests).containsKey(test.group(1));
    String source = tests.get(test.group(1));
    if (test.group(2) == null) {
      assertThat(source)
          .as("%s bears the words: %s", test.group(1), words)
          .containsPattern("@DisplayName\\(\\s*\"[^\"]*" + Pattern.quote(words));
    } else {
      assertThat(source).contains(" void " + test.group(2) + "(");
    }
  }

  /** The sources of all tests by the names of their classes. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new HashMap<>();
    for (String module : new String[] {"server", "bench"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(
                file ->
                    tests.put(
                        file.getFileName().toString().replace(".java", ""),
                        BROKEN.matcher(read(file)).replaceAll("")));
      }
    }
    return tests;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
