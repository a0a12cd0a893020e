package dev.queenmq.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.CapturedBench;
import dev.queenmq.bench.http.MessageMaker;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareBenchTest {
  private static final int USAGE = 2;

  CompareBenchTest() {}

  @ParameterizedTest
  @CsvSource({
    "--only=mysql, is neither a system",
    "--url=queen=http://127.0.0.1:1, that is the name of another system",
    "--url=other=ftp://127.0.0.1, is not like http://host:port",
    "--rounds=0, --rounds and --seconds must be 1 or more",
    "--seconds=0, --rounds and --seconds must be 1 or more"
  })
  void wrongArguments_areRefusedBeforeAnythingStarts(String argument, String answer) {
    StringWriter err = new StringWriter();
    int code = CapturedBench.printingTo(new StringWriter(), err).execute("compare", argument);

    assertThat(code).isEqualTo(USAGE);
    assertThat(err.toString()).contains(answer).doesNotContain("starting");
  }

  @Test
  void payload_hasItsSizeAndCarriesItsNumber() {
    MessageMaker maker = new MessageMaker(256, 50, false, 1);
    for (long number : new long[] {0, 7, -3, 123_456_789_012L, Long.MAX_VALUE}) {
      byte[] payload = maker.payloadBytes(number);

      assertThat(payload).hasSize(256);
      assertThat(MessageMaker.number(payload)).isEqualTo(number);
    }
  }

  @Test
  void partitionsInTurn_areAllUsedEquallyOften() {
    MessageMaker maker = new MessageMaker(256, 50, true, 3);
    int[] counts = new int[50];
    for (int i = 0; i < 150; i++) {
      counts[maker.partition()]++;
    }

    assertThat(counts).containsOnly(3);
  }
}
