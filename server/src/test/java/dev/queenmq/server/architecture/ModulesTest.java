package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.ROOT;
import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for the packages of every module, by the text of the sources. {@link
 * DependencyRulesTest} says more about the server.
 */
class ModulesTest {
  private static final String SOURCES = "src/main/java";

  /** The most files of a package that a reader can take in at a glance. */
  private static final int ONE_SCREEN = 45;

  /** The root package is what users see, and what the packages below it build on. */
  private static final Set<String> BUILT_AROUND_THEIR_ROOT = Set.of("client", "cli");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern USED =
      Pattern.compile("(?<![\\w\".])dev\\.queenmq(?:\\.[a-z]\\w*)+(?=\\.[A-Z])");

  static List<String> modules() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve(SOURCES)))
          .map(folder -> ROOT.relativize(folder).toString())
          .sorted()
          .toList();
    }
  }

  static List<String> layeredModules() throws IOException {
    return modules().stream().filter(name -> !BUILT_AROUND_THEIR_ROOT.contains(name)).toList();
  }

  @Test
  void modules_areFound() throws IOException {
    assertThat(modules()).contains("server", "client", "bench", "cli", "embedded-postgres");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void packages_fitOnOneScreen(String module) {
    assertThat(packages(module))
        .isNotEmpty()
        .allSatisfy((name, files) -> assertThat(files).hasSizeLessThan(ONE_SCREEN));
  }

  @ParameterizedTest
  @MethodSource("layeredModules")
  void packages_haveNoCycles(String module) {
    Map<String, Set<String>> left = known(packages(module));
    boolean found = true;
    while (found) {
      Set<String> leaves = new TreeSet<>();
      left.forEach(
          (name, others) -> {
            if (others.stream().noneMatch(left::containsKey)) {
              leaves.add(name);
            }
          });
      found = !leaves.isEmpty();
      left.keySet().removeAll(leaves);
    }
    assertThat(left).as("packages that know each other, and those that know them").isEmpty();
  }

  /** The sources of each package. */
  private static Map<String, List<Path>> packages(String module) {
    Path sources = ROOT.resolve(module).resolve(SOURCES);
    Map<String, List<Path>> packages = new TreeMap<>();
    files(sources, ".java")
        .forEach(
            file ->
                packages.computeIfAbsent(name(sources, file), name -> new ArrayList<>()).add(file));
    return packages;
  }

  private static String name(Path sources, Path file) {
    return sources.relativize(file.resolveSibling("")).toString().replace('/', '.');
  }

  /** Which package knows which others of the same module. */
  private static Map<String, Set<String>> known(Map<String, List<Path>> packages) {
    Map<String, Set<String>> known = new TreeMap<>();
    packages.forEach(
        (name, files) -> {
          Set<String> others = known.computeIfAbsent(name, each -> new TreeSet<>());
          for (Path file : files) {
            USED.matcher(COMMENT.matcher(read(file)).replaceAll(""))
                .results()
                .map(used -> used.group())
                .filter(used -> packages.containsKey(used) && !used.equals(name))
                .forEach(others::add);
          }
        });
    return known;
  }
}
