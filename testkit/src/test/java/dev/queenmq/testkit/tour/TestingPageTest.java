package dev.queenmq.testkit.tour;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows is code of this package, which runs. */
class TestingPageTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

  @Test
  void everyBlock_isCodeThatRuns() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String file : List.of("Order", "Kitchen", "KitchenIT", "ParallelIT", "PlainIT")) {
      code.append(
          Files.readString(Path.of("src/test/java/dev/queenmq/testkit/tour/" + file + ".java")));
    }
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(Path.of("../docs/testing.md")))
            .results()
            .map(block -> block.group(1))
            .toList();

    assertThat(blocks).hasSizeGreaterThan(4);
    for (String block : blocks) {
      assertThat(flat(code.toString())).contains(flat(block));
    }
  }

  /** Line breaks and indentation may differ. */
  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
