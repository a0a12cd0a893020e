package dev.queenmq.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/spring.md shows is code of the sample, and it lists all properties. */
class SpringPageTest {
  private static final Path PAGE = Path.of("../docs/spring.md");
  private static final Path SAMPLE =
      Path.of("../spring-boot4/src/test/java/dev/queenmq/spring/sample");
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern ROW =
      Pattern.compile("^\\| `(queen\\.[^`]+)` \\|", Pattern.MULTILINE);
  private static final Pattern PROPERTY =
      Pattern.compile("\"name\": \"(queen\\.[^\"]+)\",\\s+\"type\": \"(?!dev\\.queenmq\\.spring)");

  @Test
  void everyBlock_standsInTheSample() throws IOException {
    String sources;
    try (Stream<Path> files = Files.list(SAMPLE)) {
      sources = files.map(SpringPageTest::flat).collect(Collectors.joining("\n"));
    }
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    int count = 0;
    for (; blocks.find(); count++) {
      assertThat(sources).contains(flat(blocks.group(1)));
    }
    assertThat(count).isGreaterThan(5);
  }

  @Test
  void everyProperty_isListed() throws IOException {
    String metadata;
    try (InputStream in =
        Objects.requireNonNull(
            SpringPageTest.class.getResourceAsStream(
                "/META-INF/spring-configuration-metadata.json"))) {
      metadata = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Set<String> listed =
        names(ROW, Files.readString(PAGE).replace("queen.headers.*", "queen.headers"));
    assertThat(listed).hasSizeGreaterThan(20).isEqualTo(names(PROPERTY, metadata));
  }

  private static Set<String> names(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static String flat(Path file) {
    try {
      return flat(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Line breaks and indentation may differ. */
  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
