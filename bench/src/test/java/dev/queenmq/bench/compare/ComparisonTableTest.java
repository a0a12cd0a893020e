package dev.queenmq.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComparisonTableTest {
  private final ComparisonTable table = new ComparisonTable("queen");

  ComparisonTableTest() {
    table.system("queen", OnDisk.YES);
    table.system("nats", OnDisk.NO);
  }

  @Test
  void rates_areMediansAndTheirRatiosThoseOfEachRound() {
    table.add(Cell.PUSH_100, "nats", 1, new Figures(50_000, 2, 9, 0));
    table.add(Cell.PUSH_100, "queen", 1, new Figures(100_000, 1, 4, 0));
    table.add(Cell.PUSH_100, "queen", 2, new Figures(120_000, 3, 6, 0));
    table.add(Cell.PUSH_100, "nats", 2, new Figures(180_000, 4, 8, 0));
    table.add(Cell.PUSH_100, "queen", 3, new Figures(110_000, 2, 5, 0));
    table.add(Cell.PUSH_100, "nats", 3, new Figures(110_000, 3, 7, 0));

    assertThat(table.markdown().lines().skip(2))
        .containsExactly(
            "| push, 100 a request, 50 connections | queen | yes | 110,000 | 2.00 | 5.00 | 1.00 |"
                + " 1.00, 1.00, 1.00 |",
            "| push, 100 a request, 50 connections | nats | no | 110,000 | 3.00 | 8.00 | 1.00 |"
                + " 0.50, 1.50, 1.00 |");
  }

  @Test
  void givenRate_comparesTailLatencies_aboveOneIsAhead() {
    table.add(Cell.E2E_1, "queen", 1, new Figures(2000, 1, 6, 0));
    table.add(Cell.E2E_1, "nats", 1, new Figures(2000, 0.5, 2, 0));

    assertThat(table.markdown())
        .endsWith("| nats | no | 2,000 | 0.50 | 2.00 | 3.00 | 3.00 |" + System.lineSeparator());
  }

  @Test
  void roundsOfOneSystemOnly_giveNoRatio() {
    table.add(Cell.PUSH_1, "nats", 1, new Figures(10, 1, 2, 0));
    table.add(Cell.PUSH_1, "queen", 2, new Figures(10, 1, 2, 0));

    assertThat(table.markdown())
        .contains("| push, 1 a request, 50 connections | nats | no | 10 | 1.00 | 2.00 |  |  |");
  }

  @Test
  void errors_standBesideTheFigures() {
    table.add(Cell.PUSH_1, "nats", 1, new Figures(10, 1, 2, 3));
    table.add(Cell.PUSH_1, "nats", 2, new Figures(10, 1, 2, 1));

    assertThat(table.markdown()).contains("**4 errors**");
  }

  @Test
  void evenNumberOfRounds_liesBetweenTheTwoInTheMiddle() {
    table.add(Cell.PUSH_1, "queen", 1, new Figures(100, 1, 2, 0));
    table.add(Cell.PUSH_1, "queen", 2, new Figures(200, 2, 4, 0));

    assertThat(table.markdown()).contains("| queen | yes | 150 | 1.50 | 3.00 | 1.00 |");
  }
}
