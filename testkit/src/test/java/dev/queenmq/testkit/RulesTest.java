package dev.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources and the bill of materials must keep to. */
class RulesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/queenmq/testkit");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(queen[^<]*)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>([^<$]+)</version>");

  /** The application under test has none of these libraries, or others. */
  @Test
  void onlyTheBrokersSide_knowsTheBroker() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      assertThat(files.filter(file -> file.toString().endsWith(".java")))
          .hasSizeGreaterThan(10)
          .filteredOn(file -> !file.startsWith(SOURCES.resolve("broker")))
          .allSatisfy(
              file ->
                  assertThat(Files.readString(file))
                      .doesNotContain(
                          "import dev.queenmq.server.",
                          "import dev.queenmq.embedded.",
                          "import dev.queenmq.testkit.broker.",
                          "import io.vertx."));
    }
  }

  @Test
  void billOfMaterials_hasOurVersion_andWhatIsForUsers() throws IOException {
    String bill = Files.readString(Path.of("../bom/pom.xml"));
    assertThat(artifacts(bill)).contains("queen-bom", "queen-client", "queen-testkit");
    assertThat(first(VERSION, bill))
        .isEqualTo(first(VERSION, Files.readString(Path.of("../pom.xml"))));
  }

  private static List<String> artifacts(String pom) {
    return ARTIFACT.matcher(pom).results().map(found -> found.group(1)).toList();
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow().group(1);
  }
}
