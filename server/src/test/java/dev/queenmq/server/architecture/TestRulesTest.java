package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What lets tests run at the same time, on a machine that has other things to do. */
class TestRulesTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/test/java"),
          Path.of("../embedded-postgres/src/test/java"),
          Path.of("../bench/src/test/java"));

  private static final Pattern SHARED_FIXTURE =
      Pattern.compile(
          "(?ms)^(?:public )?abstract class .*"
              + "^  (?:private |protected )?static (?!final )[A-Z][\\w<>]* \\w+;");

  private static final Pattern LIMIT_OF_TIME =
      Pattern.compile(
          "is(?:LessThan|LessThanOrEqualTo)\\(\\s*Duration\\.|isBetween\\(\\s*Duration\\.of");

  @Test
  void fixturesWithStaticState_areLocked() {
    assertThat(sources())
        .filteredOn(file -> SHARED_FIXTURE.matcher(read(file)).find())
        .isNotEmpty()
        .allSatisfy(file -> assertThat(read(file)).contains("@ResourceLock("));
  }

  @Test
  void tests_assertNoUpperLimitOfTime() {
    assertThat(sources())
        .allSatisfy(file -> assertThat(read(file)).doesNotContainPattern(LIMIT_OF_TIME));
  }

  private static List<Path> sources() {
    return SOURCES.stream().flatMap(folder -> files(folder, ".java").stream()).toList();
  }
}
