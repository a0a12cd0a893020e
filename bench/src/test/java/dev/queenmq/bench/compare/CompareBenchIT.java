package dev.queenmq.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The comparison runs to its end; how fast, on a machine that builds, says nothing. */
@ExtendWith(BenchPostgresExtension.class)
class CompareBenchIT {
  CompareBenchIT() {}

  @Test
  void quickRun_measuresTheBrokerAndTheTableInTurn(@TempDir Path folder, BenchPostgres postgres)
      throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Path json = folder.resolve("results.json");
    int code =
        CapturedBench.printingTo(out, err)
            .execute(
                "compare",
                "--quick",
                "--only",
                "queen,skip-locked,consume-100",
                "--set",
                "QUEEN_SPOOL_DEADLINE_MS=600000",
                "--set",
                "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "--json",
                json.toString(),
                "--pg-bin",
                BenchPostgresExtension.bin(postgres),
                "--folder",
                Path.of("target").toAbsolutePath().toString());

    String said = err + "\n" + out;
    assertThat(code).as(said).isZero();
    assertThat(Files.readAllLines(json))
        .as(said)
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"cell\":\"consume-100\",\"round\":1,\"on_disk\":\"yes\"")
                    .contains("\"errors\":0}")
                    .doesNotContain("\"messages\":0,"))
        .anySatisfy(line -> assertThat(line).startsWith("{\"system\":\"queen\""))
        .anySatisfy(line -> assertThat(line).startsWith("{\"system\":\"skip-locked\""));
    assertThat(out.toString())
        .contains("| consume, 100 a request, 25 connections | skip-locked | yes |");
  }
}
