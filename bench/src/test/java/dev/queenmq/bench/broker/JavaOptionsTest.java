package dev.queenmq.bench.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaOptionsTest {
  private static final List<String> LINES =
      List.of("# why", "", "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m");

  JavaOptionsTest() {}

  @Test
  void merge_addsOptions_afterThoseOfTheFile() {
    assertThat(JavaOptions.merge(LINES, List.of("-Da=b")))
        .containsExactly(
            "-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m", "-Da=b");
  }

  @Test
  void merge_leavesOutWhatTheAddedReplace() {
    assertThat(JavaOptions.merge(LINES, List.of("-Xmx128m")))
        .containsExactly("-XX:+UseSerialGC", "-Xss1m", "-Xmx128m");
    assertThat(JavaOptions.merge(LINES, List.of("-XX:+UseG1GC")))
        .containsExactly("-Xms64m", "-Xmx512m", "-XX:NewSize=32m", "-Xss1m", "-XX:+UseG1GC");
  }
}
