package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.ROOT;
import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every page of the repository: short lines, links that lead somewhere, and no
 * mention of what a reader cannot open. {@code DocumentedExamplesIT} runs the examples.
 */
class PagesTest {
  private static final Path ARCHITECTURE = ROOT.resolve("docs/internals/architecture.md");
  private static final int LONGEST_LINE = 140;
  private static final int MOST_TERMS = 30;
  private static final int MOST_HOPS = 12;

  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS_NAME = Pattern.compile("([A-Z][a-z]\\w*)(?:[.#]\\w+.*)?");
  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|record|interface|enum) +([A-Z]\\w*)");

  static List<String> pages() {
    return files(ROOT, ".md").stream().map(path -> ROOT.relativize(path).toString()).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void lines_areShort(String page) {
    assertThat(text(page).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(LONGEST_LINE));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void links_leadSomewhere(String page) {
    for (MatchResult link : LINK.matcher(prose(page)).results().toList()) {
      String target = link.group(1);
      if (target.matches("[a-z]+:.*")) {
        continue;
      }
      String file = target.replaceFirst("#.*", "");
      Path path =
          file.isEmpty() ? ROOT.resolve(page) : ROOT.resolve(page).resolveSibling(file).normalize();
      assertThat(path).as("%s in %s", target, page).exists();
      if (target.contains("#")) {
        assertThat(anchors(path)).as(page).contains(target.replaceFirst(".*#", ""));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void pages_citeOnlyWhatAReaderCanOpen(String page) {
    assertThat(text(page)).doesNotContain("shared/", "seeds/");
  }

  @Test
  void index_listsEveryPage() {
    Set<Path> listed = new HashSet<>();
    for (String page : List.of("docs/README.md", "docs/decisions/README.md")) {
      LINK.matcher(text(page))
          .results()
          .map(link -> ROOT.resolve(page).resolveSibling(link.group(1).replaceFirst("#.*", "")))
          .forEach(path -> listed.add(path.normalize()));
    }
    assertThat(listed)
        .containsAll(
            files(ROOT.resolve("docs"), ".md").stream()
                .filter(path -> !path.endsWith("docs/README.md"))
                .toList());
  }

  @Test
  void glossary_isShort() {
    assertThat(Pattern.compile("(?m)^- \\*\\*").matcher(text("docs/glossary.md")).results())
        .hasSizeBetween(10, MOST_TERMS);
  }

  @Test
  void architecture_namesClassesThatExist() {
    Set<String> types = new HashSet<>();
    for (Path source : files(ROOT, ".java")) {
      TYPE.matcher(read(source)).results().forEach(type -> types.add(type.group(1)));
    }
    Set<String> named = new TreeSet<>();
    CODE.matcher(FENCED.matcher(read(ARCHITECTURE)).replaceAll(""))
        .results()
        .map(code -> CLASS_NAME.matcher(code.group(1)))
        .filter(name -> name.matches())
        .forEach(name -> named.add(name.group(1)));
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(types).containsAll(named);
  }

  /** Each way is a numbered list below a heading that begins with "The way". */
  @Test
  void architecture_walksAFewHops() {
    List<String> ways =
        Stream.of(read(ARCHITECTURE).split("(?m)^(?=#)", -1))
            .filter(section -> section.matches("(?s)#+ The way .*"))
            .toList();
    assertThat(ways).hasSize(4);
    assertThat(ways)
        .allSatisfy(
            way ->
                assertThat(Pattern.compile("(?m)^\\d+\\. ").matcher(way).results())
                    .hasSizeBetween(3, MOST_HOPS));
  }

  /** What a heading is called in a link. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(FENCED.matcher(read(page)).replaceAll(""))
        .results()
        .map(heading -> LINK.matcher(heading.group(1)).replaceAll("$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  private static String prose(String page) {
    return FENCED.matcher(text(page)).replaceAll("");
  }

  private static String text(String page) {
    return read(ROOT.resolve(page));
  }
}
