package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class MomentsTest {

  @Test
  void durations_haveUnits() {
    assertThat(Moments.duration("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(Moments.duration("30s")).isEqualTo(Duration.ofSeconds(30));
    assertThat(Moments.duration("30")).isEqualTo(Duration.ofSeconds(30));
    assertThat(Moments.duration("5M")).isEqualTo(Duration.ofMinutes(5));
    assertThat(Moments.duration(" 2h ")).isEqualTo(Duration.ofHours(2));
    assertThat(Moments.duration("7d")).isEqualTo(Duration.ofDays(7));
    for (String bad : new String[] {"", "soon", "-5s", "5w", "1.5h", "99999999999s"}) {
      assertThatThrownBy(() -> Moments.duration(bad)).isInstanceOf(TypeConversionException.class);
    }
  }

  @Test
  void moments_areTimes_orAgo() {
    Instant nine = Instant.parse("2026-11-15T09:00:00Z");
    assertThat(Moments.moment("2026-11-15T09:00:00Z")).isEqualTo(nine);
    assertThat(Moments.moment("2026-11-15T10:00:00+01:00")).isEqualTo(nine);
    assertThat(Moments.moment("2026-11-15T09:00:00")).isEqualTo(nine);
    assertThat(Moments.moment("2026-11-15")).isEqualTo(Instant.parse("2026-11-15T00:00:00Z"));
    assertThat(Moments.moment("2h")).isBefore(Instant.now().minusSeconds(7_199));
    assertThatThrownBy(() -> Moments.moment("yesterday"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("yesterday");
  }

  @Test
  void lengths_haveOneUnit() {
    assertThat(Moments.length(Duration.ofSeconds(-3))).isEqualTo("0s");
    assertThat(Moments.length(Duration.ofSeconds(119))).isEqualTo("119s");
    assertThat(Moments.length(Duration.ofMinutes(2))).isEqualTo("2m");
    assertThat(Moments.length(Duration.ofHours(5))).isEqualTo("5h");
    assertThat(Moments.length(Duration.ofDays(3))).isEqualTo("3d");
    assertThat(Moments.age(null)).isEmpty();
    assertThat(Moments.text(Instant.parse("2026-11-15T09:00:00.123Z")))
        .isEqualTo("2026-11-15T09:00:00Z");
  }
}
