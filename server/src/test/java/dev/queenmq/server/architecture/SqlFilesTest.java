package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How SQL files look, and what their first lines say: what a file does, what calls it and which
 * locks it takes. The text of a procedure has a checksum, so it names the broker and not a class of
 * it: to rename a class must not raise a revision.
 *
 * <p>Migrations up to 023 were applied before this rule, and an applied migration is never edited.
 */
class SqlFilesTest {
  private static final Path ROOT = Path.of("src/main/resources/db");
  private static final Path PROCEDURES = ROOT.resolve("procedures");
  private static final Path STATEMENTS = ROOT.resolve("statements");
  private static final Path MIGRATIONS = ROOT.resolve("migrations");
  private static final Path JAVA = Path.of("src/main/java");
  private static final String LAST_OLD_MIGRATION = "023";
  private static final int WIDTH = 120;

  private static final String KEYWORDS =
      "select|from|where|and|or|not|null|insert|into|update|delete|set|values|join|left|cross|lateral"
          + "|on|as|order|group|by|limit|offset|case|when|then|else|end|begin|declare|if|elsif|loop"
          + "|return|returns|returning|create|replace|function|language|with|union|all|exists|is|in"
          + "|distinct|having|over|partition|filter|array|integer|bigint|smallint|boolean|text|uuid"
          + "|timestamptz|interval|perform|raise|true|false";
  private static final Pattern UPPER_KEYWORD =
      Pattern.compile("\\b(?:" + KEYWORDS.toUpperCase(Locale.ROOT) + ")\\b");
  private static final Pattern NOT_CODE = Pattern.compile("--[^\\n]*|'[^']*'|\"[^\"]*\"");
  private static final Pattern CALLED_BY =
      Pattern.compile("-- Called by: ((?:[^.\\n]|\\n-- (?!Locks: ))+)\\.");
  private static final Pattern LOCKS = Pattern.compile("(?m)^-- Locks: \\S");
  private static final Pattern CALL = Pattern.compile("queen\\.([a-z0-9_]+_v\\d+)\\(");

  @Test
  void files_areFormatted() {
    List<String> found = new ArrayList<>();
    for (Path file : files(ROOT, ".sql")) {
      if (isOldMigration(file)) {
        continue;
      }
      String text = read(file);
      String name = file.getFileName() + ":";
      int number = 0;
      for (String line : text.split("\n", -1)) {
        number++;
        if (line.length() > WIDTH) {
          found.add(name + number + " has " + line.length() + " characters");
        }
        if (line.indexOf('\t') >= 0 || line.endsWith(" ") || line.endsWith("\r")) {
          found.add(name + number + " has a tab or ends with a blank");
        }
      }
      Matcher upper = UPPER_KEYWORD.matcher(NOT_CODE.matcher(text).replaceAll(" "));
      while (upper.find()) {
        found.add(name + " keyword in capitals: " + upper.group());
      }
      if (!text.endsWith("\n") || text.endsWith("\n\n")) {
        found.add(name + " does not end with one line feed");
      }
    }

    assertThat(found).isEmpty();
  }

  @Test
  void files_openWithAComment() {
    assertThat(files(ROOT, ".sql"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(read(file)).as(name(file)).startsWith("-- "));
    assertThat(procedures().values())
        .allSatisfy(text -> assertThat(text).matches("(?s)-- revision: \\d+\\n-- [A-Z].*"));
  }

  @Test
  void proceduresAndStatements_sayWhichLocksTheyTake() {
    assertThat(
            Stream.concat(files(PROCEDURES, ".sql").stream(), files(STATEMENTS, ".sql").stream()))
        .allSatisfy(file -> assertThat(head(read(file))).as(name(file)).containsPattern(LOCKS));
  }

  @Test
  void procedures_sayWhatCallsThem() {
    Map<String, String> procedures = procedures();
    String java =
        files(JAVA, ".java").stream().map(Repository::read).collect(Collectors.joining("\n"));

    Map<String, List<String>> calls = new TreeMap<>();
    procedures.forEach((name, text) -> calls.put(name, calls(text)));

    for (Map.Entry<String, String> procedure : procedures.entrySet()) {
      List<String> callers = new ArrayList<>();
      if (java.contains("queen." + procedure.getKey() + "(")) {
        callers.add("the broker");
      }
      calls.forEach(
          (name, called) -> {
            if (!name.equals(procedure.getKey()) && called.contains(procedure.getKey())) {
              callers.add(name);
            }
          });
      Matcher said = CALLED_BY.matcher(head(procedure.getValue()));

      assertThat(said.find()).as("%s says what calls it", procedure.getKey()).isTrue();
      assertThat(said.group(1).replace("\n--", ""))
          .as("what calls %s", procedure.getKey())
          .isEqualTo(String.join(", ", callers));
      assertThat(callers).as("what calls %s", procedure.getKey()).isNotEmpty();
    }
  }

  @Test
  void statements_sayWhatCallsThem() {
    assertThat(files(STATEMENTS, ".sql"))
        .allSatisfy(
            file ->
                assertThat(head(read(file)))
                    .as(name(file))
                    .containsPattern("(?m)^-- Called by: the broker, for "));
  }

  private static List<String> calls(String text) {
    return CALL.matcher(NOT_CODE.matcher(text).replaceAll(" "))
        .results()
        .map(call -> call.group(1))
        .toList();
  }

  /** By name. */
  private static Map<String, String> procedures() {
    Map<String, String> procedures = new TreeMap<>();
    files(PROCEDURES, ".sql").forEach(file -> procedures.put(name(file), read(file)));
    return procedures;
  }

  /** The comment before the first statement. */
  private static String head(String text) {
    return text.lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n"));
  }

  private static boolean isOldMigration(Path file) {
    return file.startsWith(MIGRATIONS)
        && name(file).substring(0, 3).compareTo(LAST_OLD_MIGRATION) <= 0;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).replace(".sql", "");
  }
}
