package dev.queenmq.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosestNameTest {

  private static final List<String> KNOWN =
      List.of("partition", "payload", "queue", "leaseTime", "to", "batch", "QUEEN_DATA_DIR");

  @ParameterizedTest
  @CsvSource({
    "partiton, partition", // a letter is missing
    "partittion, partition", // one too many
    "partitoin, partition", // two neighbours are swapped
    "pertitoin, partition", // a wrong letter and a swap
    "PARTITION, partition", // case alone
    "leasetime, leaseTime",
    "LEASETME, leaseTime", // case does not count as an edit
    "queen_data_dir, QUEEN_DATA_DIR",
    "QUEEN_DATADIR, QUEEN_DATA_DIR",
    "bathc, batch",
    "TO, to"
  })
  void misspeltName_isRecognised(String unknown, String meant) {
    assertThat(ClosestName.of(unknown, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({
    "partition", // known: nothing is misspelt
    "prtitin2", // three edits
    "at", // short names need to be closer
    "t",
    "''",
    "colour",
    "QUEEN_DATA"
  })
  void otherName_isNot(String unknown) {
    assertThat(ClosestName.of(unknown, KNOWN)).isEmpty();
  }

  @Test
  void closerName_winsOverEarlierOne() {
    assertThat(ClosestName.of("timeout2", List.of("timeoutMs", "timeout"))).contains("timeout");
  }

  @Test
  void equallyCloseNames_firstOneWins() {
    assertThat(ClosestName.of("limix", List.of("limit", "limis"))).contains("limit");
  }

  /** What is left out when names differ much must not change what is found. */
  @Test
  void anyTwoNames_areCloseIfTheirWholeDistanceSaysSo() {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      String one = word(random);
      String other = word(random);
      int edits = distance(one, other);
      boolean close = edits > 0 && edits <= 2 && 2 * edits < Math.min(one.length(), other.length());
      assertThat(ClosestName.of(one, List.of(other)).isPresent())
          .as("%s and %s, %d edits", one, other, edits)
          .isEqualTo(close);
    }
  }

  private static String word(Random random) {
    return random
        .ints(4 + random.nextInt(4), 'a', 'd')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private static int distance(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = edits[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[from.length()][to.length()];
  }

  @Test
  void nothingKnown_nothingFound() {
    assertThat(ClosestName.of("queue", List.of())).isEmpty();
  }
}
