package dev.queenmq.server.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeRangeTest {
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");
  private static final Instant LATER = Instant.parse("2027-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "PT0S, 1",
    "PT60M, 1",
    "PT60M0.001S, 5",
    "PT6H, 5",
    "PT6H0.001S, 15",
    "PT24H, 15",
    "PT24H0.001S, 60",
    "P7D, 60",
    "P7DT0.001S, 360",
    "P365D, 360"
  })
  void bucketMinutes_growWithTheRange(String length, int minutes) {
    assertThat(new TimeRange(NOON, NOON.plus(Duration.parse(length)), LATER).bucketMinutes())
        .isEqualTo(minutes);
  }

  @Test
  void rates_areThoseOfTheWholeBucket() {
    TimeRange week = new TimeRange(NOON.minus(Duration.ofDays(8)), NOON, LATER);

    assertThat(week.coveredSeconds(Instant.parse("2026-11-14T06:00:00Z"))).isEqualTo(6 * 3600);
    assertThat(week.perSecond(21_600, Instant.parse("2026-11-14T06:00:00Z"))).isEqualTo(1.0);
  }

  @Test
  void rates_areThoseOfThePartWithinTheRange() {
    TimeRange day =
        new TimeRange(
            Instant.parse("2026-11-14T12:10:30Z"), Instant.parse("2026-11-15T00:02:00Z"), LATER);

    assertThat(day.bucketMinutes()).isEqualTo(15);
    // From 12:10, since minutes are counted whole, to 12:15.
    assertThat(day.coveredSeconds(Instant.parse("2026-11-14T12:00:00Z"))).isEqualTo(300);
    assertThat(day.coveredSeconds(Instant.parse("2026-11-15T00:00:00Z"))).isEqualTo(120);
  }

  @Test
  void rates_doNotCountTimeThatHasNotPassed() {
    TimeRange hours =
        new TimeRange(
            NOON.minus(Duration.ofHours(3)), NOON.plus(Duration.ofHours(1)), NOON.plusSeconds(90));

    assertThat(hours.coveredSeconds(NOON)).isEqualTo(120);
    assertThat(hours.coveredSeconds(NOON.plus(Duration.ofMinutes(5)))).isEqualTo(60);
  }

  @Test
  void rates_areRoundedToTwoDigits() {
    TimeRange hour = new TimeRange(NOON, NOON.plus(Duration.ofHours(1)), LATER);

    assertThat(hour.perSecond(100, NOON)).isEqualTo(1.67);
    assertThat(hour.perSecond(0, NOON)).isZero();
  }
}
