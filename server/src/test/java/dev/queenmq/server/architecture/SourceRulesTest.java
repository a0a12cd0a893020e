package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules about the text of the sources. */
class SourceRulesTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path EMBEDDED = Path.of("../embedded-postgres/src/main/java");
  private static final Path SERVER = SOURCES.resolve("dev/queenmq/server");
  private static final Set<Path> HOME_OF_SQL =
      Set.of(SERVER.resolve("store"), SERVER.resolve("admin"), SERVER.resolve("migration"));

  private static final Pattern SQL =
      Pattern.compile(
          "(?i)\\b(select|insert\\s+into|update|delete\\s+from|call|perform)\\b[^;]{0,300}\\bqueen\\.\\w");
  private static final Pattern OWN_CLOCK =
      Pattern.compile(
          "\\bSystem\\s*(\\.|::)\\s*(nanoTime|currentTimeMillis)\\b"
              + "|\\b(InstantSource|Clock)\\s*(\\.|::)\\s*system"
              + "|\\bClock\\s*(\\.|::)\\s*tick(Millis|Seconds|Minutes)\\b"
              + "|\\b(Instant|Local\\w+|Offset\\w+|Zoned\\w+|Year\\w*)"
              + "\\s*(\\.\\s*now\\s*\\(\\s*\\)|::\\s*now\\b)"
              + "|\\bnew\\s+Date\\s*\\(\\s*\\)");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^(?:@.*\\n)*public (?:final |abstract |sealed |non-sealed )*"
              + "(?:class|interface|record|enum) ");
  private static final Pattern DOCUMENTED = Pattern.compile("\\*/\\s*(?:@\\w[^\\n]*\\n\\s*)*$");

  @Test
  void sqlOnMessages_livesInTheStoreAndItsReadModels() {
    assertThat(sources())
        .filteredOn(file -> HOME_OF_SQL.stream().noneMatch(file::startsWith))
        .allSatisfy(
            file ->
                assertThat(COMMENT.matcher(read(file)).replaceAll("")).doesNotContainPattern(SQL));
  }

  /** The wiring hands the clocks on, so that a test can give others to whatever it builds. */
  @Test
  void clocks_areReadInTheWiringOnly() {
    assertThat(files(SOURCES, ".java"))
        .filteredOn(file -> !SERVER.equals(file.getParent()))
        .allSatisfy(
            file ->
                assertThat(COMMENT.matcher(read(file)).replaceAll(""))
                    .doesNotContainPattern(OWN_CLOCK));
  }

  @Test
  void publicTypes_sayWhatTheyAre() {
    assertThat(sources())
        .allSatisfy(
            file -> {
              String text = read(file);
              PUBLIC_TYPE
                  .matcher(text)
                  .results()
                  .forEach(
                      type ->
                          assertThat(text.substring(0, type.start())).containsPattern(DOCUMENTED));
            });
  }

  @Test
  void packages_sayWhatTheyAreAndAreNullMarked() {
    assertThat(sources().stream().map(Path::getParent).distinct())
        .allSatisfy(
            folder ->
                assertThat(read(folder.resolve("package-info.java")))
                    .startsWith("/**")
                    .contains("@NullMarked"));
  }

  private static List<Path> sources() {
    return Stream.concat(files(SOURCES, ".java").stream(), files(EMBEDDED, ".java").stream())
        .toList();
  }
}
