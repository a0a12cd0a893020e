package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMeterTest {

  @TempDir private Path folder;

  @Test
  void read_understandsTheKernel() throws IOException {
    Files.writeString(
        folder.resolve("stat"),
        "42 (a (strange) name) S 1 42 42 0 -1 4194560 9 8 7 6 250 31 0 0 20 0 33 0 1 2 3\n");
    Files.writeString(
        folder.resolve("status"), "Name:\tjava\nVmSize:\t  2048 kB\nVmRSS:\t    1024 kB\n");

    ProcessReadings readings = new ProcessMeter(folder).read();

    assertThat(readings.cpuUserMicros()).isEqualTo(2_500_000);
    assertThat(readings.cpuSystemMicros()).isEqualTo(310_000);
    assertThat(readings.virtualBytes()).isEqualTo(2 << 20);
    assertThat(readings.residentBytes()).isEqualTo(1 << 20);
  }

  @Test
  void read_tellsTheRest_whereThereIsNoSuchKernel() {
    ProcessReadings readings = new ProcessMeter(folder.resolve("none")).read();

    assertThat(readings.cpuUserMicros()).isZero();
    assertThat(readings.residentBytes()).isZero();
    assertThat(readings.uptime()).isGreaterThan(Duration.ZERO);
    assertThat(readings.heapUsedBytes()).isPositive();
    assertThat(readings.threads()).isPositive();
  }
}
