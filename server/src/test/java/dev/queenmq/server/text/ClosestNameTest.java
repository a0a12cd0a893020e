package dev.queenmq.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  @Test
  void nothingKnown_nothingFound() {
    assertThat(ClosestName.of("queue", List.of())).isEmpty();
  }
}
