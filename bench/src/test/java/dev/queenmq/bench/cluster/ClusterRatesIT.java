package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The benchmark runs to its end; how fast, on a machine that builds, says nothing. */
@ExtendWith(BenchPostgresExtension.class)
@Order(2)
class ClusterRatesIT {
  private static final Pattern NUMBER = Pattern.compile("(?<= )\\d+(\\.\\d+)?(?= |$)");

  ClusterRatesIT() {}

  @Test
  void quickRun_printsEveryCell(BenchPostgres postgres) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CapturedBench.printingTo(out, err)
            .execute(
                "cluster-rates",
                "--quick",
                "--set",
                "NUM_WORKERS=1",
                "--set",
                "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "--pg-bin",
                BenchPostgresExtension.bin(postgres),
                "--folder",
                Path.of("target").toAbsolutePath().toString());

    String said = err + "\n" + out;
    assertThat(code).as(said).isBetween(0, 1);
    assertThat(said).doesNotContain("WRONG");
    List<String> lines = out.toString().lines().toList();
    for (RateCase what : RateCase.ALL) {
      // Three ways with, without UDP and their ratio, and one ratio more.
      assertThat(numbers(lines, what.text())).as(said).isEqualTo(3 * 3 + 1);
    }
    for (RemoteWakes.Cause cause : RemoteWakes.Cause.values()) {
      assertThat(numbers(lines, cause.text())).as(said).isEqualTo(2 * 3);
    }
  }

  /** How many are in the line that begins so. */
  private static long numbers(List<String> lines, String start) {
    return lines.stream()
        .filter(line -> line.startsWith(start + " "))
        .mapToLong(line -> NUMBER.matcher(line.substring(start.length())).results().count())
        .sum();
  }
}
