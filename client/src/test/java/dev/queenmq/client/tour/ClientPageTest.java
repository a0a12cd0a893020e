package dev.queenmq.client.tour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.QueenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages show of the client is code that {@link TourIT} runs. */
class ClientPageTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

  @ParameterizedTest
  @CsvSource({"../docs/client.md, Tour", "../README.md, ReadmeTour"})
  void everyBlock_standsInTheTour(String page, String code) throws IOException {
    String tour =
        flat(Files.readString(Path.of("src/test/java/dev/queenmq/client/tour", code + ".java")));
    List<String> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(Files.readString(Path.of(page)));
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }

    assertThat(blocks).isNotEmpty();
    for (String block : blocks) {
      assertThat(tour).contains(flat(block));
    }
  }

  @Test
  void everyException_isExplained() throws IOException {
    String page = Files.readString(Path.of("../docs/client.md"));
    assertThat(QueenException.class.isSealed()).isTrue();
    assertThat(QueenException.class.getPermittedSubclasses())
        .allSatisfy(type -> assertThat(page).contains("| `" + type.getSimpleName() + "` |"));
  }

  /** Line breaks and indentation may differ. */
  private static String flat(String code) {
    return code.replaceAll("\\s+", "");
  }
}
