package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.ROOT;
import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Words that the project does not use, in pages, in comments of all modules, and in what the
 * dashboard and the API description show. {@code docs/glossary.md} has the words to use.
 *
 * <p>Migrations are left out: an applied migration is never edited.
 */
class WordsTest {

  /** Old-fashioned words, persons for components, and words for which the field has others. */
  private static final Pattern UNUSED =
      Pattern.compile(
          "(?i)\\b(?:anew|somebody|nobody|someone|everybody|so many|so long|mend|mends|mended"
              + "|verdicts?|bury|buried|burial)\\b");

  /** A name of something, such as the Unix user. */
  private static final Pattern CODE = Pattern.compile("`[^`\\n]*`|\\{@code [^}]*}");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

  @Test
  void unusedWords_areNotUsed() {
    List<String> found = new ArrayList<>();
    List<Path> texts = texts();
    for (Path file : texts) {
      String text = CODE.matcher(prose(file)).replaceAll(" ");
      UNUSED
          .matcher(text)
          .results()
          .forEach(word -> found.add(ROOT.relativize(file) + ": " + word.group()));
    }

    assertThat(texts).hasSizeGreaterThan(1000);
    assertThat(found).isEmpty();
  }

  /** Of Java the comments, of all others the whole text. */
  private static String prose(Path file) {
    String text = read(file);
    return file.toString().endsWith(".java")
        ? COMMENT
            .matcher(text)
            .results()
            .map(comment -> comment.group())
            .collect(Collectors.joining("\n"))
        : text;
  }

  private static List<Path> texts() {
    return files(ROOT, "").stream()
        .filter(file -> file.toString().matches(".*\\.(?:java|md|sql|js)|.*/openapi\\.json"))
        .filter(file -> !file.toString().contains("/migrations/"))
        .filter(file -> !file.endsWith("WordsTest.java"))
        .toList();
  }
}
