package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.ROOT;
import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that says which test holds which row of the contract's defects tells the truth. */
class ContractPageTest {
  private static final Path PAGE = ROOT.resolve("docs/internals/contract-tests.md");
  private static final int LAST_ROW = 36;

  /** An element of a list: a number, words, and tests. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^- \\*\\*(I\\w+)\\*\\* (?:.+\\n)+?  Tests: (.+(?:\\n  .+)*)$");

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void everyRow_isThere_once() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= LAST_ROW; i++) {
      expected.add("I" + i);
      if (i == 11 || i == 26) {
        expected.add("I" + i + "b");
      }
    }
    assertThat(rows()).extracting(row -> row.group(1)).containsExactlyElementsOf(expected);
  }

  @Test
  void everyTest_isOne() throws IOException {
    Map<String, String> sources = sources();
    for (MatchResult row : rows()) {
      List<MatchResult> tests = TEST.matcher(row.group(2)).results().toList();
      assertThat(tests).as(row.group(1)).isNotEmpty();
      assertThat(TEST.matcher(row.group(2)).replaceAll("")).as(row.group(1)).isBlank();
      for (MatchResult test : tests) {
        assertThat(sources).containsKey(test.group(1));
        assertThat(annotations(sources.getOrDefault(test.group(1), ""), test.group(2)))
            .as(test.group())
            .containsPattern("@(Test|ParameterizedTest|FuzzTest)\\b");
      }
    }
  }

  /** What stands above a method. */
  private static String annotations(String source, String method) {
    int start = source.indexOf(" void " + method + "(");
    return start < 0 ? "" : source.substring(source.lastIndexOf("\n\n", start), start);
  }

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE)).results().toList();
  }

  /** Of all tests, by the names of their classes. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("server", "bench")) {
      files(ROOT.resolve(module).resolve("src/test/java"), ".java")
          .forEach(
              file -> sources.put(file.getFileName().toString().replace(".java", ""), read(file)));
    }
    return sources;
  }
}
