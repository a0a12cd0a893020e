package dev.queenmq.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs to its end; how fast, on a machine that builds, says nothing. */
@ExtendWith(BenchPostgresExtension.class)
@Order(2)
class HttpBenchIT {
  HttpBenchIT() {}

  @Test
  void quickRun_measuresEveryPart(@TempDir Path folder, BenchPostgres postgres) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Path target = Path.of("target").toAbsolutePath();
    Path json = folder.resolve("results.json");
    int code =
        CapturedBench.printingTo(out, err)
            .execute(
                "http",
                "--quick",
                // A busy machine is no outage.
                "--set",
                "QUEEN_SPOOL_DEADLINE_MS=600000",
                "--set",
                "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "--json",
                json.toString(),
                "--pg-bin",
                BenchPostgresExtension.bin(postgres),
                "--folder",
                target.toString());

    String said = err + "\n" + out;
    assertThat(code).as(said).isBetween(0, 1);
    assertThat(out.toString())
        .contains("push batch 100, 50 partitions: ", "end to end at 200/s ", "R = ");
    List<String> lines = Files.readAllLines(json);
    assertThat(lines).hasSize(9);
    assertThat(lines)
        .as(said)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"errors\":0}", "\"p99_ms\":")
                    .doesNotContain("\"messages\":0,"));
  }
}
