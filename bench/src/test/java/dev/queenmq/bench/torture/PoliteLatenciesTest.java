package dev.queenmq.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PoliteLatenciesTest {
  private static final long MILLI = 1_000_000;

  private final PoliteLatencies latencies = new PoliteLatencies();

  PoliteLatenciesTest() {}

  @Test
  void ratio_isThatOfTheSlowestOfAHundred() {
    latencies.quiet(0);
    latencies.attack(1_000 * MILLI, "flood", "a");
    add(PoliteLatencies.FEWEST, "a", 100, 110);
    add(PoliteLatencies.FEWEST, "a", 1_100, 1_140);

    assertThat(latencies.ratio()).hasValueCloseTo(4.0, Offset.offset(0.01));
    assertThat(latencies.complaint(5)).isEmpty();
    assertThat(latencies.complaint(3).orElse("")).contains("40.0 ms", "4.0 times", "10.0 ms");
    assertThat(latencies.complaint(0)).isEmpty();
  }

  @Test
  void fewCycles_areNotJudged() {
    latencies.quiet(0);
    latencies.attack(1_000 * MILLI, "flood", "a");
    add(PoliteLatencies.FEWEST, "a", 100, 101);
    add(PoliteLatencies.FEWEST - 1, "a", 1_100, 1_900);

    assertThat(latencies.ratio()).isEmpty();
    assertThat(latencies.complaint(5)).isEmpty();
  }

  @Test
  void cycle_countsAsAttacked_ifItOverlapsWithTheAttackOnItsBroker() {
    latencies.quiet(0);
    latencies.attack(1_000 * MILLI, "flood", "a");
    latencies.leaveOut(2_000 * MILLI);
    add(1, "a", 900, 1_100);
    add(1, "a", 1_900, 2_500);
    add(1, "a", 900, 2_500);

    assertThat(cycles("quiet")).isZero();
    assertThat(cycles("flood")).isEqualTo(3);
    assertThat(cycles("all hostile")).isEqualTo(3);
  }

  @Test
  void cycle_thatBeganUnderAnotherFault_saysNothingAboutTheAttack() {
    latencies.leaveOut(0);
    latencies.quiet(1_000 * MILLI);
    latencies.attack(2_000 * MILLI, "flood", "a");
    latencies.leaveOut(3_000 * MILLI);
    add(1, "a", 500, 2_500);
    // One for the table.
    add(1, "a", 1_500, 3_500);

    assertThat(cycles("flood")).isEqualTo(1);
  }

  @Test
  void cycle_countsAsQuiet_ifNothingElseWasThen() {
    latencies.leaveOut(0);
    latencies.quiet(1_000 * MILLI);
    latencies.attack(2_000 * MILLI, "flood", "a");
    latencies.quiet(3_000 * MILLI);
    // One for the table.
    add(1, "a", 2_100, 2_200);
    add(1, "a", 1_100, 1_200);
    add(1, "a", 3_100, 3_200);
    add(1, "b", 1_100, 1_200);

    // Other times, another broker's attack, before all that is known.
    add(1, "a", 900, 1_100);
    add(1, "b", 1_900, 2_100);
    add(1, "b", 2_100, 2_200);
    add(1, "b", -200, -100);

    assertThat(cycles("quiet")).isEqualTo(3);
    assertThat(cycles("all hostile")).isEqualTo(1);
  }

  @Test
  void withoutAttacks_thereIsNoTable() {
    latencies.quiet(0);
    add(1, "a", 1, 2);

    assertThat(latencies.table()).isEmpty();
  }

  private void add(int count, String broker, long due, long done) {
    for (int i = 0; i < count; i++) {
      latencies.add(broker, due * MILLI, done * MILLI);
    }
  }

  private long cycles(String line) {
    return latencies.table().stream()
        .filter(each -> each.startsWith(line))
        .mapToLong(each -> Long.parseLong(each.substring(line.length()).strip().split(" ", 2)[0]))
        .sum();
  }
}
