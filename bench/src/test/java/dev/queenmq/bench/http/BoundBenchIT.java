package dev.queenmq.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The smallest broker stores, delivers and takes acks; how fast, says nothing here. */
@ExtendWith(BenchPostgresExtension.class)
class BoundBenchIT {
  BoundBenchIT() {}

  @Test
  void quickRun_goesThroughBothBrokers(BenchPostgres postgres) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CapturedBench.printingTo(out, err)
            .execute(
                "bound",
                "--quick",
                "--only",
                "pop + ack, 10 a",
                "--set",
                "QUEEN_SPOOL_DEADLINE_MS=600000",
                "--set",
                "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                "--pg-bin",
                BenchPostgresExtension.bin(postgres),
                "--folder",
                Path.of("target").toAbsolutePath().toString());

    String said = err + "\n" + out;
    assertThat(code).as(said).isBetween(0, 1);
    List<String> lines =
        out.toString().lines().filter(line -> line.startsWith("{\"broker\":")).toList();
    assertThat(lines)
        .as(said)
        .hasSize(2)
        .allSatisfy(
            line -> assertThat(line).contains("\"errors\":0}").doesNotContain("\"messages\":0,"));
  }
}
