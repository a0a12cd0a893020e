package dev.queenmq.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The benchmark runs to its end; how fast, on a machine that builds, says nothing. */
@Order(2)
class StoreBenchIT {
  StoreBenchIT() {}

  @Test
  void quickRun_printsEveryRatio() {
    StringWriter text = new StringWriter();
    Path target = Path.of("target").toAbsolutePath();
    int code =
        CapturedBench.printingTo(text, new StringWriter())
            .execute(
                "store",
                "--quick",
                "--pg-cache",
                BenchPostgresExtension.binaries().toString(),
                "--folder",
                target.toString());

    assertThat(code).isBetween(0, 1);
    assertThat(text.toString())
        .contains(
            "queen push / bare insert of the arrays",
            "queen push / row per message",
            "queen pop+ack by transaction id / rows");
  }
}
